// Cuts marked's top-level tokens into the pieces that become blocks, and says which of them are final. Pure, runs anywhere.
// Keeps MD-02 to MD-05.
import type { Token } from './markdown-parser.ts';

/** Tokens that are shown together. Offsets are positions in the text that was lexed. */
export interface Piece {
	readonly start: number;
	/** The end, with blank lines and definitions after the piece. */
	readonly end: number;
	/** Source without the blank lines and definitions after it. */
	readonly raw: string;
	readonly tokens: readonly Token[];
}

/** One piece a visible token; what an open `<details>` encloses is one piece with it. */
export function tokensToPieces(tokens: readonly Token[]): readonly Piece[] {
	const pieces: { start: number; end: number; raw: string; tokens: Token[] }[] = [];
	const leading: Token[] = [];
	let offset = 0;
	let openDetails = 0;
	for (const token of tokens) {
		const start = offset;
		offset += token.raw.length;
		const last = pieces.at(-1);
		if (!isVisible(token)) {
			(last?.tokens ?? leading).push(token);
			if (last) last.end = offset;
		} else if (last && openDetails > 0) {
			last.raw += token.raw;
			last.tokens.push(token);
			last.end = offset;
		} else {
			pieces.push({ start, end: offset, raw: token.raw, tokens: [...(last ? [] : leading), token] });
		}
		if (token.type === 'html') openDetails = Math.max(0, openDetails + detailsBalance(token.raw));
	}
	return pieces;
}

/**
 * True when the piece begins where it does whatever follows: the line that starts it (of a table: both lines) is complete, and
 * a paragraph or formula before it ended in a blank line, because a later line can join such lines in another way. An
 * unfinished formula is never settled: a blank line in it would undo it.
 */
export function isStartSettled(piece: Piece, before: Piece | undefined, source: string): boolean {
	const first = piece.tokens.find(isVisible);
	if (!first || first.tentative) return false;
	const lineEnd = source.indexOf('\n', piece.start);
	if (lineEnd === -1 || (first.type === 'table' && !source.includes('\n', lineEnd + 1))) return false;
	const isJoinable = before?.tokens.at(-1)?.type === 'paragraph' || before?.tokens.at(-1)?.type === 'mathBlock';
	return !isJoinable || /\n[ \t]*\n$/.test(source.slice(before.start, before.end));
}

/** True when the piece is fenced code whose closing line is complete: nothing that follows belongs to it. */
export function isClosedFence({ start, end, tokens }: Piece, source: string): boolean {
	if (tokens.at(-1)?.type === 'def' || !tokens.some(({ type }) => type === 'code')) return false;
	const text = source.slice(start, end);
	const opening = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1];
	const lastLine = /\n {0,3}(`{3,}|~{3,}) *\n\s*$/.exec(text)?.[1];
	return opening !== undefined && lastLine !== undefined && lastLine.startsWith(opening);
}

/** Blank lines and definitions render nothing. */
export function isVisible({ type }: Token): boolean {
	return type !== 'space' && type !== 'def';
}

function detailsBalance(html: string): number {
	return (html.match(/<details[\s>]/gi)?.length ?? 0) - (html.match(/<\/details>/gi)?.length ?? 0);
}
