// Cuts a marked text into blocks of whole lines, of which the browser lays out those near the view. SPEC.md COMP-06.
import type { TextPiece } from '#lib/client/word-differences/find-differences.ts';

/** A block ends with the first line after so many characters. */
const blockLength = 4_000;

/**
 * Each block but the last ends with a line's end, which is kept: at the end of a block it draws no line of its own. A piece that
 * goes over a cut is two, with one number.
 */
export function textBlocks(pieces: readonly TextPiece[], least = blockLength): TextPiece[][] {
	const blocks: TextPiece[][] = [[]];
	let length = 0;
	for (const { text, change } of pieces) {
		for (let from = 0; from < text.length;) {
			const lineEnd = text.indexOf('\n', from + Math.max(0, least - length - 1));
			const to = lineEnd < 0 ? text.length : lineEnd + 1;
			blocks.at(-1)?.push({ text: text.slice(from, to), change });
			length += to - from;
			from = to;
			if (lineEnd < 0) continue;
			blocks.push([]);
			length = 0;
		}
	}
	return blocks.filter((block) => block.length > 0);
}
