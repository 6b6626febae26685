import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { groupBlocks, type BlockGroup } from './block-groups.ts';
import { MarkdownLibraries } from './block-view.ts';
import { GroupView } from './group-view.ts';
import { texToMath } from './math-typesetter.ts';
import { renderBlocks } from './render-block.ts';
import { SliceQueue } from './slices.ts';
import { TailLexer } from './tail-lexer.ts';
import { testLabels } from './test-labels.ts';
import { xssVectors } from './xss-vectors.ts';

const origin = 'https://hostile.invalid';
const called: number[] = [];
const libraries = new MarkdownLibraries();
const slices = new SliceQueue();
const vectors = xssVectors({ call: (n) => `globalThis.__xss(${n})`, origin });

beforeEach(() => {
	called.length = 0;
	Object.assign(globalThis, { __xss: (n: number) => called.push(n) });
	performance.setResourceTimingBufferSize(5000);
	performance.clearResourceTimings();
});
afterEach(() => document.body.replaceChildren());

describe('hostile Markdown', () => {
	test('MD-10 no vector of the corpus runs, streamed or settled', async () => {
		expect(vectors.length).toBeGreaterThanOrEqual(200);
		showAll();
		await libraries.loadTexToMath();
		showStreamed();
		await everythingThatCouldHappen();
		expect(called).toEqual([]);
	});

	test('MD-10 the watch sees a call when there is one', async () => {
		const image = new Image();
		image.setAttribute('onerror', 'globalThis.__xss(7)');
		image.src = 'data:,';
		document.body.append(image);
		await expect.poll(() => called).toEqual([7]);
	});

	test('MD-11 no vector leaves an element or attribute that is not allowed', () => {
		showAll();
		const found = [...document.querySelectorAll('main *')].flatMap((element) => dangersOf(element));
		expect(found).toEqual([]);
	});

	test('MD-14 no vector asks the hostile origin for anything', async () => {
		showAll();
		await everythingThatCouldHappen();
		expect(hostileRequests()).toEqual([]);
	});

	test('MD-14 the watch sees a request when there is one', async () => {
		const image = new Image();
		const failed = new Promise((resolve) => image.addEventListener('error', resolve));
		image.src = `${origin}/control.png`;
		document.body.append(image);
		await failed;
		await expect.poll(hostileRequests).toEqual([`${origin}/control.png`]);
	});
});

function showAll(): void {
	const main = document.createElement('main');
	document.body.append(main);
	for (const vector of vectors) {
		const section = document.createElement('section');
		main.append(section);
		const blocks = new TailLexer().update(vector, { settled: true });
		section.append(
			...renderBlocks(
				blocks.map(({ tokens }) => tokens),
				{ labels: testLabels, texToMath }
			)
		);
	}
}

/** Every vector in every state of a growing message, patched into the page as the component does. */
function showStreamed(): void {
	const main = document.createElement('main');
	document.body.append(main);
	for (const vector of vectors) {
		const lexer = new TailLexer();
		const section = document.createElement('section');
		main.append(section);
		const views: GroupView[] = [];
		let groups: readonly BlockGroup[] = [];
		for (let end = 9; end < vector.length + 9; end += 9) {
			groups = groupBlocks(lexer.update(vector.slice(0, end), { settled: end >= vector.length }), groups, { waits: false });
			for (const group of groups) {
				views[group.key] ??= new GroupView(section.appendChild(document.createElement('div')), { libraries, slices });
				views[group.key]?.show(group, testLabels);
			}
		}
	}
}

/** Clicks what invites a click (links are stopped from leaving), moves over and focuses everything, and waits for loads. */
async function everythingThatCouldHappen(): Promise<void> {
	addEventListener('click', preventLeaving);
	for (const element of document.querySelectorAll<HTMLElement>('main *')) {
		for (const type of ['mouseover', 'mouseenter', 'focus', 'toggle', 'wheel']) element.dispatchEvent(new Event(type));
		if (element.localName === 'a') {
			element.click();
			const { protocol } = element as HTMLAnchorElement;
			if (protocol === 'javascript:') called.push(-1);
		}
	}
	await new Promise((resolve) => setTimeout(resolve, 500));
	removeEventListener('click', preventLeaving);
}

function preventLeaving(event: Event): void {
	event.preventDefault();
}

function hostileRequests(): string[] {
	return performance.getEntriesByType('resource').flatMap(({ name }) => (name.includes('hostile.invalid') ? [name] : []));
}

const allowedElements =
	/^(?:a|abbr|b|bdi|blockquote|br|button|caption|cite|code|col|colgroup|dd|del|details|dfn|div|dl|dt|em|figcaption|figure|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|rp|rt|ruby|s|samp|section|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var|wbr)$/;
const allowedAttributes =
	/^(?:align|alt|aria-hidden|aria-label|class|colspan|data-language|dir|href|lang|open|rel|reversed|role|rowspan|scope|src|start|tabindex|target|title|type)$/;
const allowedClasses = /^(?:block$|code-|math-|remote-image|table-scroll|task-|tml|language-)/;

function dangersOf(element: Element): string[] {
	if (element.closest('math, svg.code-icon'))
		return [...element.attributes].flatMap(({ name, value }) =>
			/^on|href|src/.test(name) || /url\(/.test(value) ? [`${name}=${value}`] : []
		);
	const dangers = allowedElements.test(element.localName) ? [] : [`<${element.localName}>`];
	for (const { name, value } of element.attributes) {
		if (!allowedAttributes.test(name)) dangers.push(`${name}=${value}`);
		if (name === 'href' && !/^(?:https?:|mailto:)/i.test(value)) dangers.push(`href=${value}`);
		if (name === 'src' && !/^data:image\//i.test(value)) dangers.push(`src=${value}`);
	}
	for (const name of element.classList) if (!allowedClasses.test(name)) dangers.push(`class=${name}`);
	if (element instanceof HTMLButtonElement && !element.matches('.code-copy, .remote-image')) dangers.push('a foreign button');
	if (element instanceof HTMLAnchorElement && (element.rel !== 'noopener noreferrer' || element.target !== '_blank'))
		dangers.push('a link with an opener');
	return dangers;
}
