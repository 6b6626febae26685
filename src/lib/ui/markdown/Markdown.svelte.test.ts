import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Markdown from './Markdown.svelte';
import { longestHighlightedCode } from './block-view.ts';
import { testLabels } from './test-labels.ts';

/** For what is loaded or done when the tab is idle, on a busy machine. */
const lazily = { timeout: 10_000 };
const immediately = (update: () => void) => update();

const parts = Array.from(
	{ length: 5 },
	(_, n) =>
		`## Part ${n}\n\nA paragraph with **bold** and \`code\`.\n\n- one\n- two\n\n\`\`\`ts\nconst a${n} = ${n};\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`
).join('');

describe('Markdown', () => {
	test('MD-08 character by character, closed blocks stay the same nodes and the end equals the whole', async () => {
		const text = parts.slice(0, 500);
		const { container, write } = await setupStream();
		const seen = new Map<Element, string>();
		for (let end = 1; end <= text.length; end++) {
			await write(text.slice(0, end));
			const blocks = [...container.querySelectorAll('.block')];
			for (const block of blocks.slice(0, -2)) {
				const content = block.firstElementChild;
				if (content && !seen.has(content)) seen.set(content, content.textContent);
			}
		}
		expect(seen.size).toBeGreaterThan(8);
		for (const [element, content] of seen) {
			expect(element.isConnected).toBe(true);
			expect(element.textContent).toBe(content);
		}
		const streamed = container.textContent;
		const whole = await render(Markdown, { text, streaming: true, labels: testLabels, schedule: immediately });
		expect(streamed).toBe(whole.container.textContent);
	});

	test('MD-08 a growing list keeps the items it has', async () => {
		const { container, write } = await setupStream();
		await write('- one\n- two\n- thr');
		const items = [...container.querySelectorAll('li')];
		await write('- one\n- two\n- three **and**\n- four');
		expect([...container.querySelectorAll('li')].slice(0, 3)).toEqual(items);
		expect([...container.querySelectorAll('li')].map((item, index) => item === items[index])).toEqual([true, true, true, false]);
	});

	test('MD-09 many updates within a frame are one', async () => {
		const waiting: (() => void)[] = [];
		const schedule = (update: () => void) => void waiting.push(update);
		const { container, rerender } = await render(Markdown, { text: 'a', streaming: true, labels: testLabels, schedule });
		for (const text of ['ab', 'abc', 'abcd']) await rerender({ text });
		expect([waiting.length, container.textContent.trim()]).toEqual([1, 'a']);
		waiting.forEach((update) => update());
		await expect.poll(() => container.textContent.trim()).toBe('abcd');
	});

	test('MD-23 open code is appended to its text node, and closing keeps the element', async () => {
		const { container, write } = await setupStream();
		await write('```ts\nconst');
		const code = container.querySelector('pre code');
		const node = code?.firstChild;
		expect(node).toBeInstanceOf(Text);
		let replaced = 0;
		const watch = new MutationObserver((records) => (replaced += records.filter(({ type }) => type === 'childList').length));
		watch.observe(container, { childList: true, subtree: true });
		const text = '```ts\nconst a = 1;\nconst b = `x`;\n``';
		for (let end = 12; end <= text.length; end++) await write(text.slice(0, end));
		expect(code?.firstChild).toBe(node);
		expect(node?.textContent).toBe('const a = 1;\nconst b = `x`;');
		expect(replaced).toBe(0);
		watch.disconnect();
		await write('```ts\nconst a = 1;\nconst b = `x`;\n```\n');
		expect(container.querySelector('pre code')).toBe(code);
	});

	test('MD-24 a closing fence in the making is not shown as code', async () => {
		const { container, write } = await setupStream();
		const shown: (string | undefined)[] = [];
		for (const text of ['```js\nlet a;', '```js\nlet a;\n`', '```js\nlet a;\n``', '```js\nlet a;\n```']) {
			await write(text);
			shown.push(container.querySelector('pre')?.textContent);
		}
		expect(shown).toEqual(Array(4).fill('let a;'));
	});

	test('MD-25 closed code is coloured once, its text unchanged', async () => {
		const { container, write } = await setupStream();
		await write('```ts\nconst a: number = 1; // <b>\n');
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(container.querySelector('[class^=hl-]')).toBeNull();
		await write('```ts\nconst a: number = 1; // <b>\n```\n\nafter');
		await expect.poll(() => container.querySelector('.hl-keyword')?.textContent, lazily).toBe('const');
		const keyword = container.querySelector('.hl-keyword');
		await write('```ts\nconst a: number = 1; // <b>\n```\n\nafter that');
		expect(container.querySelector('.hl-keyword')).toBe(keyword);
		expect(container.querySelector('pre')?.textContent).toBe('const a: number = 1; // <b>');
	});

	test('MD-26 the named languages are coloured; unknown ones and very long code stay plain', async () => {
		const samples = {
			bash: 'echo "a"',
			json: '{"a": 1}',
			html: '<a href="b">c</a>',
			css: 'a { color: red }',
			py: 'def f(): pass',
			diff: '+ a'
		};
		const text = Object.entries({ ...samples, klingon: 'return 1', ts: `const a = 1;\n`.repeat(longestHighlightedCode / 13 + 1) })
			.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\`\n`)
			.join('\n');
		const { container } = await render(Markdown, { text, streaming: false, labels: testLabels });
		const colored = () => [...container.querySelectorAll('pre')].map((pre) => pre.querySelector('[class^=hl-]') !== null);
		await expect.poll(colored, lazily).toEqual([true, true, true, true, true, true, false, false]);
	});

	test('MD-33 a formula shows its source until the typesetter is there', async () => {
		const { container } = await render(Markdown, { text: 'so $x^2$', streaming: false, labels: testLabels });
		await expect.poll(() => container.querySelector('math msup')?.textContent, lazily).toBe('x2');
		expect(container.querySelector('code')).toBeNull();
	});

	test('MD-40 a settled text is there with the first render', async () => {
		const { container } = await render(Markdown, { text: '# Title', streaming: false, labels: testLabels });
		expect(container.querySelector('h1')?.textContent).toBe('Title');
	});

	test('MD-41 the body carries the language of its script', async () => {
		const { container } = await render(Markdown, { text: '这是中文内容', streaming: false, labels: testLabels });
		expect(container.querySelector<HTMLElement>('.markdown')?.lang).toBe('zh-CN');
		expect(getComputedStyle(container.querySelector('.markdown') ?? document.body).lineHeight).toBe('28px');
	});

	test('MD-43 at 320 pixels only code, tables and formulas scroll', async () => {
		const wide = `${'x'.repeat(200)} \`${'y'.repeat(200)}\` https://e.example/${'z'.repeat(200)}\n\n- ${'字'.repeat(200)}\n\n![${'alt'.repeat(60)}](https://e.example/a.png)\n\n`;
		const { container } = await render(Markdown, {
			text: `${wide}\`\`\`ts\n${'a'.repeat(300)}\n\`\`\`\n\n|${'aaaaaaaaaaaa|'.repeat(12)}\n|${'-|'.repeat(12)}\n\n$$${'x+'.repeat(90)}x$$\n`,
			streaming: false,
			labels: testLabels
		});
		container.style.width = '320px';
		await expect.poll(() => container.querySelector('math'), lazily).not.toBeNull();
		const scrolling = [...container.querySelectorAll('*')].filter(
			({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth
		);
		const names = scrolling
			.filter((element) => !element.closest('math') && !element.closest('pre > *'))
			.map(({ localName, className, scrollWidth }) => className || localName + scrollWidth);
		expect(names).toEqual(['code-body', 'table-scroll', 'math-scroll']);
	});
});

async function setupStream() {
	const { container, rerender } = await render(Markdown, { text: '', streaming: true, labels: testLabels, schedule: immediately });
	return { container, write: (text: string) => rerender({ text }) };
}
