import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { groupBlocks } from './block-groups.ts';
import { MarkdownLibraries } from './block-view.ts';
import { GroupView } from './group-view.ts';
import { SliceQueue } from './slices.ts';
import { TailLexer } from './tail-lexer.ts';
import { testLabels } from './test-labels.ts';

const inTime = { timeout: 10_000 };
let slices = new SliceQueue();
beforeEach(() => (slices = new SliceQueue()));
afterEach(() => {
	slices.destroy();
	document.body.replaceChildren();
});

describe('a group that waits', () => {
	test('MD-55 never shows the source of a formula when the typesetter comes in time', async () => {
		const { element } = setupGroup('so $x^2$', new MarkdownLibraries());
		let hasShownSource = false;
		new MutationObserver(() => (hasShownSource ||= element.querySelector('code') !== null)).observe(element, {
			childList: true,
			subtree: true
		});
		await expect.poll(() => element.querySelector('math'), inTime).not.toBeNull();
		expect(hasShownSource).toBe(false);
	});

	test('MD-55 shows it after a second when the typesetter does not come; other groups do not wait', async () => {
		const libraries = new LibrariesWithoutTypesetter();
		const formula = setupGroup('so $x^2$', libraries);
		const words = setupGroup('words', libraries);
		await expect.poll(() => words.element.querySelector('p')?.textContent, inTime).toBe('words');
		expect(formula.element.querySelector('p')).toBeNull();
		await expect.poll(() => formula.element.querySelector('p code')?.textContent, inTime).toBe('$x^2$');
	});

	test('MD-54 is not drawn after its end', async () => {
		const { element, view } = setupGroup('so $x^2$', new MarkdownLibraries());
		view.destroy();
		await new Promise((resolve) => setTimeout(resolve, 400));
		expect(element.childElementCount).toBe(0);
	});
});

class LibrariesWithoutTypesetter extends MarkdownLibraries {
	override loadTexToMath(): Promise<never> {
		return new Promise(() => undefined);
	}
}

function setupGroup(text: string, libraries: MarkdownLibraries): { element: HTMLElement; view: GroupView } {
	const element = document.body.appendChild(document.createElement('div'));
	const view = new GroupView(element, { libraries, slices });
	const [group] = groupBlocks(new TailLexer().update(text, { settled: true }), [], { waits: true });
	if (group) view.show(group, testLabels);
	return { element, view };
}
