// Recognises formulas in Markdown: `$…$`, `$$…$$`, `\(…\)`, `\[…\]`. Pure, runs anywhere. Keeps MD-30 to MD-32.
import type { MarkedExtension, Tokens } from 'marked';

// The limits keep a text of openings without an end from costing the square of its length.
const inlineDollar = /^\$(?![\s$])(?:\\[^\n]|[^\\$`\n]|\n(?!\s*\n)){1,1500}?(?<!\s)\$(?!\d)/;
const inlineDisplayDollar = /^\$\$(?!\$)(?:\\[^\n]|[^\\$`\n]|\n(?!\s*\n)){1,1500}?\$\$/;
const inlineParenthesis = /^\\\((?:\\(?!\))[^\n]|[^\\\n]|\n(?!\s*\n)){1,1500}?\\\)/;
const inlineBracket = /^\\\[(?![ xX]?\\\])(?:\\(?!\])[^\n]|[^\\\n]|\n(?!\s*\n)){1,1500}?\\\](?!\()/;
/** "$5 for coffee and 6$": an amount followed by a word is prose. */
const amountThenWord = /^\$\d[\d.,]*[kKmMbB]?\s+[A-Za-z]{2,}/;
const dollarInText = /\$(?![\s$])(?:\\[^\n]|[^\\$`\n]|\n(?!\s*\n)){1,1500}?(?<!\s)\$(?!\d)/g;

/** The marked extension. Its tokens render as `<code class="math-…">` that holds the source with its delimiters. */
export function mathSyntax(): MarkedExtension {
	return {
		extensions: [
			{
				name: 'mathBlock',
				level: 'block',
				start: startOfBlock,
				tokenizer: (src) => {
					const found = matchBlock(src);
					return found && { type: 'mathBlock', raw: found.raw, text: found.raw.trim(), tentative: found.tentative };
				},
				renderer: ({ text, tentative }: Tokens.Generic) =>
					tentative ? `<p>${escapeHtml(String(text))}</p>\n` : `<p>${mathPlaceholder(String(text), 'display')}</p>\n`
			},
			{
				name: 'mathInline',
				level: 'inline',
				start: (src) => {
					const index = src.search(/\$|\\[([]/);
					return index === -1 ? undefined : index;
				},
				tokenizer: (src) => {
					const raw = matchInline(src);
					return raw === undefined ? undefined : { type: 'mathInline', raw, text: raw };
				},
				renderer: ({ text }: Tokens.Generic) => {
					const source = String(text);
					return mathPlaceholder(source, /^(?:\$\$|\\\[)/.test(source) ? 'display' : 'inline');
				}
			}
		],
		// Emphasis neither opens nor closes inside a formula; the mask keeps the length and the two outer signs.
		hooks: { emStrongMask: (src) => src.replace(dollarInText, (math) => `$${'a'.repeat(math.length - 2)}$`) }
	};
}

/** The TeX between the delimiters of `source`. */
export function sourceToTex(source: string): string {
	const width = source.startsWith('$') && !source.startsWith('$$') ? 1 : 2;
	return source.slice(width, -width).trim();
}

function matchInline(src: string): string | undefined {
	if (src.startsWith('$$')) return inlineDisplayDollar.exec(src)?.[0];
	if (src.startsWith('$')) return amountThenWord.test(src) ? undefined : inlineDollar.exec(src)?.[0];
	if (src.startsWith('\\(')) return inlineParenthesis.exec(src)?.[0];
	if (src.startsWith('\\[')) return inlineBracket.exec(src)?.[0];
	return undefined;
}

/**
 * A formula that has its lines to itself. It may hold lines that would start a list or a heading, so it is matched before
 * them; it never holds a blank line. Without a closing delimiter it is tentative up to the end of the source: the next
 * characters decide.
 */
function matchBlock(src: string): { raw: string; tentative: boolean } | undefined {
	const open = /^ {0,3}(\$\$(?!\$)|\\\[)/.exec(src);
	if (!open) return undefined;
	const bodyStart = open[0].length;
	const blankLine = src.slice(bodyStart).search(/\n[ \t]*\n/);
	const limit = blankLine === -1 ? src.length : bodyStart + blankLine;
	const close = src.indexOf(open[1] === '$$' ? '$$' : '\\]', bodyStart);
	if (close === -1 || close >= limit) return blankLine === -1 ? { raw: src, tentative: true } : undefined;
	const rest = /^[ \t]*(?:\n|$)/.exec(src.slice(close + 2));
	if (!rest || /^[xX]?$/.test(src.slice(bodyStart, close).trim())) return undefined;
	return { raw: src.slice(0, close + 2 + rest[0].length), tentative: false };
}

function startOfBlock(src: string): number | undefined {
	for (const line of src.matchAll(/\n {0,3}(?=\$\$|\\\[)|\n[ \t]*\n/g)) {
		if (/\n[ \t]*\n/.test(line[0])) return undefined;
		if (matchBlock(src.slice(line.index + 1))) return line.index + 1;
	}
	return undefined;
}

function mathPlaceholder(source: string, kind: 'inline' | 'display'): string {
	return `<code class="math-${kind}">${escapeHtml(source)}</code>`;
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
