import { describe, expect, test } from 'vitest';
import { lexMarkdown, tokensToHtml } from './markdown-parser.ts';
import { sourceToTex } from './math-syntax.ts';

describe('mathSyntax', () => {
	test('MD-30 the four delimiters make formulas', () => {
		expect(formulasOf('a $x^2$ b')).toEqual(['inline $x^2$']);
		expect(formulasOf('a \\(x\\) b')).toEqual(['inline \\(x\\)']);
		expect(formulasOf('a $$x$$ b')).toEqual(['display $$x$$']);
		expect(formulasOf('a \\[x^2\\] b')).toEqual(['display \\[x^2\\]']);
		expect(formulasOf('$$\nx\n- y\n= z\n$$')).toEqual(['display $$\nx\n- y\n= z\n$$']);
		expect(formulasOf('so:\n\\[\n# x\n\\]\nwhere')).toEqual(['display \\[\n# x\n\\]']);
		expect(formulasOf('$x$-axis, $n$th, **$a*b$** and $a*b$ * $c_1$ and $c_2$')).toHaveLength(6);
	});

	test('MD-31 prices, code, escapes and brackets are no formulas', () => {
		const prose = [
			'costs $5 and $6',
			'$5-$6',
			'$5,$6',
			'US$5 or A$7',
			'from $5 to pay 6$ more',
			'$HOME and $PATH',
			'`$x$` and ``$$y$$``',
			'```\n$x$\n```',
			'    $$x$$',
			'\\$x\\$',
			'a $ b $ c',
			'\\[link\\](https://e.example)',
			'- \\[ \\] task',
			'$$ never\n\nclosed',
			'$a\n\nb$'
		];
		expect(prose.flatMap(formulasOf)).toEqual([]);
	});

	test('MD-32 an unclosed block shows its source until a line decides', () => {
		expect(tokensToHtml(lexMarkdown('$$\nx < y\n- z', {}))).toBe('<p>$$\nx &lt; y\n- z</p>\n');
		expect(tokensToHtml(lexMarkdown('$$\nx\n- z\n\nend', {}))).toBe('<p>$$\nx</p>\n<ul>\n<li>z</li>\n</ul>\n<p>end</p>\n');
	});

	test('MD-30 the TeX is what stands between the delimiters', () => {
		expect(['$x$', '$$\nx\n$$', '\\(x\\)', '\\[ x \\]'].map(sourceToTex)).toEqual(['x', 'x', 'x', 'x']);
	});
});

function formulasOf(markdown: string): string[] {
	const html = tokensToHtml(lexMarkdown(markdown, {}));
	return [...html.matchAll(/<code class="math-(inline|display)">([^<]*)<\/code>/g)].map(([, kind, source]) => `${kind} ${source}`);
}
