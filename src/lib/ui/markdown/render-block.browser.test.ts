import { describe, expect, test, vi } from 'vitest';
import { texToMath } from './math-typesetter.ts';
import { renderBlocks } from './render-block.ts';
import { TailLexer } from './tail-lexer.ts';
import { testLabels } from './test-labels.ts';

describe('renderBlocks', () => {
	test('MD-12 links open elsewhere and hand over neither opener nor referrer', () => {
		const host = show(
			'[a](https://e.example/) <a href="https://e.example/" target=_self rel=opener>b</a> [c](mailto:a@e.example) [d](/path)'
		);
		expect([...host.querySelectorAll('a')].map((a) => [a.getAttribute('href'), a.rel, a.target])).toEqual([
			['https://e.example/', 'noopener noreferrer', '_blank'],
			['https://e.example/', 'noopener noreferrer', '_blank'],
			['mailto:a@e.example', 'noopener noreferrer', '_blank'],
			[null, 'noopener noreferrer', '_blank']
		]);
	});

	test('MD-13 raw HTML keeps its harmless elements and loses ids, classes and styles', () => {
		const host = show('<kbd class="toast" id="app" style="position:fixed" role="alert">K</kbd> H<sub>2</sub>O\n\n5. five');
		expect(host.querySelector('kbd')?.outerHTML).toBe('<kbd>K</kbd>');
		expect(host.querySelector('sub')?.textContent).toBe('2');
		expect(host.querySelector('ol')?.start).toBe(5);
	});

	test('MD-15 a remote image is a button with its host and whole address until it is clicked', async () => {
		const host = show('![A chart](https://images.invalid/a/b.png?c=d)');
		const button = host.querySelector('button');
		expect(button?.textContent).toBe('Load image A chart images.invalid');
		expect(button?.title).toBe('https://images.invalid/a/b.png?c=d');
		expect(host.querySelector('img')).toBeNull();
		button?.click();
		const image = host.querySelector('img');
		expect([image?.src, image?.referrerPolicy, image?.alt]).toEqual(['https://images.invalid/a/b.png?c=d', 'no-referrer', 'A chart']);
		await expect.poll(() => host.textContent.trim()).toBe('The image did not load: https://images.invalid/a/b.png?c=d');
	});

	test('MD-16 embedded images show, images with neither scheme leave their words', () => {
		const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
		const host = show(`![dot](${pixel}) ![relative](icon.png) ![page](data:text/html,x)`);
		expect([...host.querySelectorAll('img')].map(({ src }) => src)).toEqual([pixel]);
		expect(host.textContent.trim()).toBe('relative page');
	});

	test('MD-17 a table stands in a named scroll box that takes focus, its columns aligned', () => {
		const host = show('| a | b |\n|:--|--:|\n| 1 | 2 |');
		const box = host.querySelector<HTMLElement>('.table-scroll');
		expect([box?.tabIndex, box?.role, box?.ariaLabel]).toEqual([0, 'group', 'Table']);
		expect([...host.querySelectorAll('td')].map((cell) => cell.getAttribute('align'))).toEqual(['left', 'right']);
	});

	test('MD-18 check marks are text with a name, no controls', () => {
		const host = show('- [x] one\n- [ ] two');
		expect([...host.querySelectorAll('[role=img]')].map(({ textContent, ariaLabel }) => [textContent, ariaLabel])).toEqual([
			['☑', 'Done'],
			['☐', 'Open']
		]);
		expect(host.querySelector('input')).toBeNull();
		expect(host.querySelectorAll('li.task-item')).toHaveLength(2);
	});

	test('MD-20 a code block has its language, a Copy button and a named body that takes focus', () => {
		const host = show('```ts\nconst a = "<b>";\n```\n\n```\nplain\n```');
		expect([...host.querySelectorAll('.code-language')].map(({ textContent }) => textContent)).toEqual(['TypeScript', 'Code']);
		expect([...host.querySelectorAll('button')].map(({ textContent, type }) => [textContent, type])).toEqual([
			['Copy', 'button'],
			['Copy', 'button']
		]);
		const bodies = [...host.querySelectorAll<HTMLElement>('pre')];
		expect(bodies.map(({ tabIndex, role, ariaLabel }) => [tabIndex, role, ariaLabel])).toEqual([
			[0, 'group', 'Code: TypeScript'],
			[0, 'group', 'Code']
		]);
		expect(bodies[0]?.textContent).toBe('const a = "<b>";');
	});

	test('MD-21 Copy writes the code to the clipboard and says so', async () => {
		const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
		const host = show('```js\nlet a;\nlet b;\n```');
		const button = host.querySelector('button');
		button?.click();
		await expect.poll(() => button?.textContent).toBe('Copied');
		expect(writeText.mock.calls).toEqual([['let a;\nlet b;']]);
		writeText.mockRestore();
	});

	test('MD-22 a refused clipboard leaves the code selected', async () => {
		const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('', 'NotAllowedError'));
		const host = show('```js\nlet a;\n```');
		host.querySelector('button')?.click();
		await expect.poll(() => getSelection()?.toString()).toBe('let a;');
		writeText.mockRestore();
	});

	test('MD-33 formulas become MathML, display ones in a scroll box', () => {
		const host = show('so $x^2$ and\n\n$$\\frac{a}{b}$$');
		expect([...host.querySelectorAll('math')].map((math) => math.namespaceURI)).toEqual(
			Array(2).fill('http://www.w3.org/1998/Math/MathML')
		);
		expect(host.querySelector('.math-scroll')?.ariaLabel).toBe('Formula');
		expect(host.querySelector('msup')?.textContent).toBe('x2');
	});

	test('MD-34 a formula with an error shows its source, and only MathML is made', () => {
		const host = show(
			'$\\frac{1$ and $\\foo$ and $\\left($ and $\\href{https://e.example}{x}$ and $\\includegraphics{https://e.example/a.png}$'
		);
		expect(host.textContent).toContain('$\\frac{1$');
		expect(host.textContent).toContain('$\\foo$');
		expect(host.querySelectorAll('a, img, [href], [src]')).toHaveLength(0);
	});

	test('MD-35 blocks sanitised together are what they are one by one, and none reaches into another', () => {
		const text =
			'# A\n\ntext <b>open\n\n- one [a](https://e.example) ![i](https://e.example/i.png)\n\n</div></div>\n\n| a |\n|---|\n| $x$ |\n\n```html\n</div><p>\n```\n\n1 &lt; 2\n\n<a href=x\n\n*end*';
		const blocks = new TailLexer().update(text, { settled: true }).map(({ tokens }) => tokens);
		const options = { labels: testLabels, texToMath };
		const together = renderBlocks(blocks, options).map(fragmentToHtml);
		expect(together).toEqual(blocks.map((tokens) => renderBlocks([tokens], options).map(fragmentToHtml).join()));
		expect(together.at(-1)).toBe('<p><em>end</em></p>\n');
	});

	test('MD-42 emphasis in Chinese is marked as Chinese inside any text', () => {
		const host = show('plain *word* and *强调*');
		expect([...host.querySelectorAll('em')].map(({ lang }) => lang)).toEqual(['', 'zh-CN']);
	});
});

function show(markdown: string): HTMLElement {
	const host = document.createElement('div');
	document.body.append(host);
	const blocks = new TailLexer().update(markdown, { settled: true });
	host.append(
		...renderBlocks(
			blocks.map(({ tokens }) => tokens),
			{ labels: testLabels, texToMath }
		)
	);
	return host;
}

function fragmentToHtml(fragment: DocumentFragment): string {
	const host = document.createElement('div');
	host.append(fragment);
	return host.innerHTML;
}
