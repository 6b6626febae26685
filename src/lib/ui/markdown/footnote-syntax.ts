// Footnotes stay as they are written: a message has no place that a link could lead to, and `[^1]: text` is no address. Pure,
// runs anywhere. Keeps MD-19.
import type { MarkedExtension, Tokens } from 'marked';

const note = /^ {0,3}(\[\^[^\]\s]+\]:[^\n]*)(?:\n|$)/;

/** The marked extension. A note is a paragraph of one line. */
export function footnoteSyntax(): MarkedExtension {
	return {
		extensions: [
			{
				name: 'footnote',
				level: 'block',
				tokenizer(src) {
					const [raw, text] = note.exec(src) ?? [];
					if (raw === undefined || text === undefined) return undefined;
					return { type: 'footnote', raw, text, tokens: this.lexer.inline(text) };
				},
				renderer({ tokens }: Tokens.Generic) {
					return `<p>${this.parser.parseInline(tokens ?? [])}</p>\n`;
				}
			}
		]
	};
}
