import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Markdown from './Markdown.svelte';
import { longestAtOnce } from './markdown-stream.svelte.ts';
import { testLabels } from './test-labels.ts';

/** For what is done in slices, on a busy machine. */
const inTime = { timeout: 20_000 };
const immediately = (update: () => void) => update();

describe('a long text', () => {
	test('MD-50 is drawn later, a shorter one at once', async () => {
		const short = await render(Markdown, { text: longText(longestAtOnce - 400), streaming: false, labels: testLabels });
		expect(waiting(short.container)).toBe(0);
		const long = await render(Markdown, { text: longText(40_000), streaming: false, labels: testLabels });
		expect(long.container.querySelectorAll('h2').length).toBeLessThan(200);
		await expect.poll(() => isDrawn(long.container, 'Part 399'), inTime).toBe(true);
	});

	test('MD-52 MD-53 is drawn where it is read, and what is read does not move', async () => {
		const scroller = setupScroller();
		await render(Markdown, { text: longText(60_000), streaming: false, labels: testLabels }, { baseElement: scroller });
		scroller.scrollTop = 0;
		const order: string[] = [];
		const watch = new MutationObserver((records) =>
			order.push(
				...records.flatMap(({ target }) => (target instanceof HTMLElement && !('waiting' in target.dataset) ? [target.textContent] : []))
			)
		);
		watch.observe(scroller, { attributeFilter: ['data-waiting'], subtree: true });
		await expect.poll(() => scroller.querySelectorAll('.group').length, inTime).toBeGreaterThan(100);
		const groups = [...scroller.querySelectorAll<HTMLElement>('.group')];
		const middle = groups[groups.length >> 1];
		middle?.scrollIntoView({ block: 'start' });
		const around = groups.slice((groups.length >> 1) - 3, (groups.length >> 1) + 4);
		await expect.poll(() => around.every((group) => group.querySelector('.block')), inTime).toBe(true);
		const [heading] = middle?.querySelectorAll('h2') ?? [];
		await twoFrames();
		const before = heading?.getBoundingClientRect().top;
		const waitingThen = waiting(scroller);
		await expect.poll(() => waiting(scroller), inTime).toBe(0);
		await twoFrames();
		watch.disconnect();
		expect(waitingThen).toBeGreaterThan(0);
		expect(Math.abs((heading?.getBoundingClientRect().top ?? 0) - (before ?? 0))).toBeLessThan(1);
		expect(order.findIndex((text) => text === middle?.textContent)).toBeLessThan(groups.length / 2);
	});

	test('MD-53 is there to be found before it is drawn, unseen', async () => {
		const { container } = await render(Markdown, { text: longText(40_000), streaming: false, labels: testLabels });
		await expect.poll(() => waiting(container), { ...inTime, interval: 1 }).toBeGreaterThan(20);
		const group = container.querySelector<HTMLElement>('[data-waiting]');
		expect(container.textContent).toContain('Part 399');
		expect(group && getComputedStyle(group).color).toBe('rgba(0, 0, 0, 0)');
		expect(group?.style.containIntrinsicBlockSize).toMatch(/^auto \d+lh$/);
	});

	test('MD-54 MD-55 ends in the DOM of the text drawn at once, also when it grows or is replaced in between', async () => {
		const text = longText(24_000);
		const atOnce = await render(Markdown, { text, streaming: false, labels: testLabels, isAtOnce: true });
		const whole = await render(Markdown, { text, streaming: false, labels: testLabels });
		const grown = await render(Markdown, { text: text.slice(0, 15_000), streaming: true, labels: testLabels, schedule: immediately });
		await grown.rerender({ text: text.slice(0, 16_000) });
		await pause(60);
		await grown.rerender({ text, streaming: false });
		const replaced = await render(Markdown, { text: `other\n\n${longText(30_000)}`, streaming: false, labels: testLabels });
		await pause(60);
		await replaced.rerender({ text });
		for (const { container } of [atOnce, whole, grown, replaced]) {
			await expect.poll(() => waiting(container) + container.querySelectorAll('code.math-inline').length, inTime).toBe(0);
			await expect.poll(() => isDrawn(container, 'Part 239') && container.querySelectorAll('math').length, inTime).toBe(240);
			await expect.poll(() => container.querySelectorAll('.code-body').length, inTime).toBe(240);
		}
		const expected = blocksOf(atOnce.container);
		for (const { container } of [whole, grown, replaced]) expect(blocksOf(container)).toEqual(expected);
	});

	test('MD-54 leaves no work behind when it is replaced by a short one or taken away', async () => {
		const { container, rerender, unmount } = await render(Markdown, { text: longText(40_000), streaming: false, labels: testLabels });
		await expect.poll(() => waiting(container), { ...inTime, interval: 1 }).toBeGreaterThan(0);
		await rerender({ text: 'short' });
		await expect.poll(() => container.textContent.trim()).toBe('short');
		await pause(300);
		expect(container.textContent.trim()).toBe('short');

		await rerender({ text: longText(40_000) });
		await expect.poll(() => waiting(container), { ...inTime, interval: 1 }).toBeGreaterThan(0);
		const groups = [...container.querySelectorAll('.group')];
		const changes: MutationRecord[] = [];
		await unmount();
		const watch = new MutationObserver((records) => changes.push(...records));
		for (const group of groups) watch.observe(group, { childList: true, attributes: true, subtree: true });
		await pause(500);
		watch.disconnect();
		expect(changes).toEqual([]);
	});

	test('MD-56 is drawn whole before a print', async () => {
		const { container } = await render(Markdown, { text: longText(40_000).replaceAll('$', ''), streaming: false, labels: testLabels });
		dispatchEvent(new Event('beforeprint'));
		expect(waiting(container)).toBe(0);
		expect(container.querySelectorAll('h2')).toHaveLength(400);
	});
});

/** About `size` characters: a part is 100 of them. */
function longText(size: number): string {
	const part = (n: number) =>
		`## Part ${n}\n\nWords and **bold** $x_{${n}}$.\n\n- one\n- two\n\n\`\`\`\ncode ${n}\n\`\`\`\n\n| a |\n|---|\n| 1 |\n\n`;
	return Array.from({ length: size / 100 }, (_, n) => part(n)).join('');
}

function setupScroller(): HTMLElement {
	const scroller = document.createElement('div');
	scroller.style.cssText = 'block-size: 400px; inline-size: 600px; overflow: auto';
	document.body.append(scroller);
	return scroller;
}

function waiting(container: ParentNode): number {
	return container.querySelectorAll('[data-waiting]').length;
}

function isDrawn(container: ParentNode, heading: string): boolean {
	return waiting(container) === 0 && [...container.querySelectorAll('h2')].some(({ textContent }) => textContent === heading);
}

function blocksOf(container: ParentNode): string[] {
	return [...container.querySelectorAll('.block')].map(({ outerHTML }) => outerHTML);
}

function pause(ms: number): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve, ms));
}

function twoFrames(): Promise<void> {
	return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}
