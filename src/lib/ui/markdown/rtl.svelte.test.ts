import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Markdown from './Markdown.svelte';
import { testLabels } from './test-labels.ts';

const arabic = 'مرحبا بالعالم';
const texts = {
	heading: `# ${arabic}`,
	paragraph: arabic,
	list: `- ${arabic}\n- ${arabic}`,
	table: `| ${arabic} | ب |\n|---|---|\n| ${arabic} | ت |`,
	quote: `> ${arabic}`,
	'code first': `\`npm\` ${arabic}`,
	'formula first': `$x^2$ ${arabic}`,
	'image first': `![](https://images.invalid/a.png) ${arabic}`,
	hebrew: 'שלום עולם'
};

test('MD-44 a block that begins in Arabic or Hebrew reads from the right, settled and streamed', async () => {
	const whole = `${Object.values(texts).join('\n\n')}\n\nEnglish\n\n- English ${arabic}\n`;
	for (const step of [whole.length, 3]) {
		const { container, rerender } = await render(Markdown, {
			text: '',
			streaming: true,
			labels: testLabels,
			schedule: (update: () => void) => update()
		});
		for (let end = step; end < whole.length; end += step) await rerender({ text: whole.slice(0, end) });
		await rerender({ text: whole, streaming: false });
		await expect.poll(() => container.querySelector('math'), { timeout: 10_000 }).not.toBeNull();
		const blocks = [...container.querySelectorAll<HTMLElement>('.block')];
		expect(blocks.map((block) => getComputedStyle(block).direction)).toEqual([...Object.keys(texts).map(() => 'rtl'), 'ltr', 'ltr']);
		for (const element of container.querySelectorAll('.block:nth-last-child(n + 3) :is(h1, p, li, th, td)')) {
			expect(gaps(element).right, element.outerHTML).toBeLessThan(20);
		}
	}
});

test('MD-44 code and formulas read from the left in any text', async () => {
	const { container } = await render(Markdown, { text: `${arabic} \`a - b\` و $x - y$`, streaming: false, labels: testLabels });
	await expect.poll(() => container.querySelector('math'), { timeout: 10_000 }).not.toBeNull();
	expect(['code', 'math'].map((name) => getComputedStyle(container.querySelector(name) ?? container).direction)).toEqual(['ltr', 'ltr']);
});

/** Between what is written in an element and the element's edges. */
function gaps(element: Element): { left: number; right: number } {
	const range = document.createRange();
	range.selectNodeContents(element);
	const [inner, outer] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
	return { left: inner.left - outer.left, right: outer.right - inner.right };
}
