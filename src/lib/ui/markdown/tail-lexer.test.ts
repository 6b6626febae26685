import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lexMarkdown, tokensToHtml } from './markdown-parser.ts';
import { TailLexer, type MarkdownBlock } from './tail-lexer.ts';

const line = fc.constantFrom(
	...['', '', '', ' ', 'plain text', 'more *text* with `code` and **bold**', 'a | b', '| a | b |', '|---|---|', '| 1 | 2 |', '--|--'],
	...['# Heading', '## Heading ##', '###', '===', '---', '***', '- item', '- ', '* other', '+ plus', '1. one', '2. two', '7) seven'],
	...[
		'  continued',
		'    indented',
		'\ttabbed',
		'  - nested',
		'    - deeper',
		'- [ ] open',
		'- [x] done',
		'> quote',
		'> - quoted item',
		'>',
		'> ```'
	],
	...['```', '```ts', '~~~', '````', 'const x = 1;', '``` not info`', '<div>', '</div>', '<details>', '</details>', '<summary>s</summary>'],
	...[
		'<!-- note',
		'-->',
		'<script>',
		'</script>',
		'<pre>',
		'</pre>',
		'<b>inline</b> html',
		'<?php',
		'$$',
		'x = y',
		'- y',
		'$$ x^2 $$',
		'\\[',
		'\\]'
	],
	...[
		'costs $5 and $6',
		'a $x_1$ and $y_1$ b',
		'\\(a*b\\)',
		'中文 **加粗** 文字',
		'hard break  ',
		'back\\',
		'&amp; < >',
		'![i](https://e.example/i.png)'
	],
	...[
		'[link](https://e.example)',
		'https://e.example/a_b',
		'- a\n\n  b',
		'| a |\n|---|\n| b |',
		'> > deep',
		'[a]',
		'* * *',
		'- - -',
		'__',
		'- ```',
		'   # h',
		'<a',
		'\t',
		'#x',
		'said[^1] so',
		'[^1]: a *note*'
	]
);
const ending = fc.constantFrom('\n', '\n', '\n', '\n', '\n', '\n\n', '\r\n', '');
const documents = fc.array(fc.tuple(line, ending), { maxLength: 14 }).map((lines) => lines.map(([text, end]) => text + end).join(''));
const definitions = fc.constantFrom('[a]: https://e.example/a', '[b]: <https://e.example/b> "title"', '[a]: https://e.example/again');
const documentsWithDefinitions = fc
	.array(
		fc.tuple(
			fc.oneof(
				{ weight: 4, arbitrary: line },
				{ weight: 1, arbitrary: definitions },
				{ weight: 1, arbitrary: fc.constantFrom('[a] and [b]', '![a]') }
			),
			ending
		),
		{ maxLength: 12 }
	)
	.map((lines) => lines.map(([text, end]) => text + end).join(''));
const steps = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 });
const runs = Number(process.env['FUZZ_RUNS'] ?? 300);

describe('TailLexer', () => {
	test('MD-01 any chunking of any document ends in the HTML of the whole document', () => {
		fc.assert(
			fc.property(documents, steps, (text, sizes) => {
				expect(blocksToHtml(stream(text, sizes).blocks)).toBe(wholeHtml(text));
			}),
			{ numRuns: runs }
		);
	}, 300_000);

	test('MD-01 every state on the way, not the last alone, is the HTML of the text so far', () => {
		fc.assert(
			fc.property(documents, (text) => {
				const lexer = new TailLexer();
				for (let end = 1; end <= text.length; end++) {
					if (text[end - 1] === '\r') continue;
					expect(blocksToHtml(lexer.update(text.slice(0, end), { settled: false }))).toBe(wholeHtml(text.slice(0, end)));
				}
				expect(lexer.update(text, { settled: true }).every(({ closed }) => closed)).toBe(true);
			}),
			{ numRuns: Math.ceil(runs / 3) }
		);
	}, 300_000);

	test('MD-02 a closed block is the same object for good', () => {
		fc.assert(
			fc.property(documents, steps, (text, sizes) => {
				const { blocks, firstClosed } = stream(text, sizes);
				for (const [key, block] of firstClosed) expect(blocks[key]).toBe(block);
				expect(blocks.map(({ key }) => key)).toEqual(blocks.map((_, index) => index));
			}),
			{ numRuns: runs }
		);
	}, 300_000);

	test('MD-02 a block closes when a later block starts on a complete line, not before', () => {
		const lexer = new TailLexer();
		const closedAfter = (text: string) => lexer.update(text, { settled: false }).map(({ closed }) => closed);
		expect(closedAfter('- one\n\nnext')).toEqual([false, false]);
		expect(closedAfter('- one\n\nnext line\n')).toEqual([true, false]);
	});

	test('MD-03 a paragraph closes at a blank line, and a table counts from its second line', () => {
		const closedAfter = (text: string) => new TailLexer().update(text, { settled: false }).map(({ closed }) => closed);
		expect(closedAfter('text\n- item\n')).toEqual([false, false]);
		expect(closedAfter('text\n\n- item\n')).toEqual([true, false]);
		expect(closedAfter('text\n\n| a |\n|---|')).toEqual([false, false]);
		expect(closedAfter('text\n\n| a |\n|---|\n')).toEqual([true, false]);
	});

	test('MD-04 fenced code closes with the line of its closing fence', () => {
		const closedAfter = (text: string) => new TailLexer().update(text, { settled: false }).map(({ closed }) => closed);
		expect(closedAfter('```ts\ncode\n```')).toEqual([false]);
		expect(closedAfter('```ts\ncode\n```\n')).toEqual([true]);
		expect(closedAfter('````ts\ncode\n```\n')).toEqual([false]);
	});

	test('MD-05 what an open details element encloses is one block with it', () => {
		const text = '<details>\n<summary>s</summary>\n\ntext\n\n- item\n\n</details>\n\nafter';
		const blocks = new TailLexer().update(text, { settled: true });
		expect(blocks.map(({ raw }) => raw.slice(0, 9))).toEqual(['<details>', 'after']);
	});

	test('MD-06 definitions reach the references before them when the text settles', () => {
		fc.assert(
			fc.property(documentsWithDefinitions, steps, (text, sizes) => {
				expect(blocksToHtml(stream(text, sizes).blocks)).toBe(wholeHtml(text));
			}),
			{ numRuns: runs }
		);
	}, 300_000);

	test('MD-06 the full pass leaves blocks alone that cannot hold a reference', () => {
		const text = 'plain\n\n```\na[0]\n```\n\nsee [a]\n\n[a]: https://e.example\n';
		const lexer = new TailLexer();
		const before = lexer.update(text, { settled: false });
		const after = lexer.update(text, { settled: true });
		expect(after.map((block, index) => block.tokens === before[index]?.tokens)).toEqual([true, true, false]);
	});

	test('MD-07 of a text that is much the same the blocks that stay are the same objects', () => {
		const lexer = new TailLexer();
		const before = lexer.update('one\n\ntwo\n\nthree\n', { settled: true });
		lexer.update('one\n', { settled: false });
		const after = lexer.update('one\n\n2\n\nthree\n', { settled: true });
		expect(after.map((block, index) => block === before[index])).toEqual([true, false, true]);
	});

	test('MD-19 footnotes stay as they are written, a note a line', () => {
		const text = 'said[^1] and[^why].\n\n[^1]: https://e.example\n[^why]: because *so*\n';
		const blocks = new TailLexer().update(text, { settled: true });
		expect(blocksToHtml(blocks)).toBe(
			'<p>said[^1] and[^why].</p>\n<p>[^1]: <a href="https://e.example">https://e.example</a></p>\n<p>[^why]: because <em>so</em></p>\n'
		);
	});

	test('MD-07 a text that does not continue the last one starts anew', () => {
		const lexer = new TailLexer();
		lexer.update('# one\n\ntwo\n\nthree', { settled: false });
		expect(blocksToHtml(lexer.update('# other\n\ntwo', { settled: false }))).toBe(wholeHtml('# other\n\ntwo'));
		lexer.update('# other\n\ntwo', { settled: true });
		expect(blocksToHtml(lexer.update('# other\n\ntwo and more', { settled: false }))).toBe(wholeHtml('# other\n\ntwo and more'));
	});

	test('MD-07 text nested too deep for any reader shows its source', () => {
		const deep = ['>'.repeat(20_000), '- '.repeat(3000) + 'a', `${' '.repeat(300)}- a`];
		expect(deep.map((text) => new TailLexer().update(text, { settled: true }).map(({ tokens }) => tokens.map(({ type }) => type)))).toEqual(
			deep.map(() => [['code']])
		);
	});
});

interface Streamed {
	readonly blocks: readonly MarkdownBlock[];
	readonly firstClosed: ReadonlyMap<number, MarkdownBlock>;
}

function stream(text: string, sizes: readonly number[]): Streamed {
	const lexer = new TailLexer();
	const firstClosed = new Map<number, MarkdownBlock>();
	for (let end = 0, index = 0; end < text.length; index++) {
		end += sizes[index % sizes.length] ?? 1;
		for (const block of lexer.update(text.slice(0, end), { settled: false })) {
			if (block.closed && !firstClosed.has(block.key)) firstClosed.set(block.key, block);
		}
	}
	return { blocks: lexer.update(text, { settled: true }), firstClosed };
}

function blocksToHtml(blocks: readonly MarkdownBlock[]): string {
	return blocks.map(({ tokens }) => tokensToHtml(tokens)).join('');
}

function wholeHtml(text: string): string {
	return tokensToHtml(lexMarkdown(text, {}));
}
