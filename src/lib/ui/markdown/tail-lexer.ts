// Lexes a growing Markdown text by lexing its open tail alone; closed blocks are never looked at again. Pure, runs anywhere.
// Keeps MD-01 to MD-07.
import { lexMarkdown, type Links, type Token } from './markdown-parser.ts';
import { isClosedFence, isStartSettled, isVisible, tokensToPieces, type Piece } from './pieces.ts';

/** A top-level block of a document. The same object as before means that nothing about it changed. */
export interface MarkdownBlock {
	/** Position among the blocks: stays with the block while it grows. */
	readonly key: number;
	/** Source without the blank lines after it (one line end may stay). */
	readonly raw: string;
	/** True when no later text can change the block. */
	readonly closed: boolean;
	/** The same array as before means that the block renders as before. */
	readonly tokens: readonly Token[];
}

export class TailLexer {
	#source = '';
	#settled = false;
	#blocks: readonly MarkdownBlock[] = [];
	#closedBlocks: MarkdownBlock[] = [];
	/** Blocks of the text before this one, which may be much the same. */
	#formerBlocks: readonly MarkdownBlock[] = [];
	/** Where the first open block starts in `#source`. */
	#openOffset = 0;
	/** Reference definitions of the closed part. */
	#links: Links = {};
	/** Some text so far held a definition, even if later lines made it something else. */
	#hasMetDefinition = false;

	/**
	 * Takes the whole text so far and answers with its blocks. A text that does not continue the last one starts anew.
	 * `settled` says that the text is complete: every block closes, and definitions reach the references before them.
	 */
	update(text: string, options: { readonly settled: boolean }): readonly MarkdownBlock[] {
		const source = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
		if (source === this.#source && options.settled === this.#settled) return this.#blocks;
		if (this.#settled || !isContinuation(source, this.#source)) this.#startAnew();
		this.#source = source;
		this.#settled = options.settled;
		this.#blocks = this.#lexTail();
		return this.#blocks;
	}

	#startAnew(): void {
		this.#formerBlocks = this.#blocks;
		this.#blocks = [];
		this.#closedBlocks = [];
		this.#openOffset = 0;
		this.#links = {};
		this.#hasMetDefinition = false;
	}

	#lexTail(): readonly MarkdownBlock[] {
		const tail = this.#source.slice(this.#openOffset);
		const tokens = lexMarkdown(tail, this.#links);
		this.#hasMetDefinition ||= Object.keys(tokens.links).length > 0;
		if (this.#settled && this.#hasMetDefinition) return this.#lexAgainWithDefinitions();
		const pieces = tokensToPieces(tokens);
		const closedCount = this.#settled ? pieces.length : countClosed(pieces, tail);
		for (const piece of pieces.slice(0, closedCount)) {
			const key = this.#closedBlocks.length;
			this.#closedBlocks.push(pieceToBlock(piece, { key, closed: true, before: this.#before(key) }));
			keepDefinitions(piece.tokens, this.#links);
		}
		// Spaces at the very end may be the indentation of the next block, so the open part starts with a line.
		const lastClosed = pieces[closedCount - 1];
		if (lastClosed) this.#openOffset += tail.lastIndexOf('\n', lastClosed.end - 1) + 1;
		const open = pieces.slice(closedCount).map((piece, index) => {
			const key = this.#closedBlocks.length + index;
			return pieceToBlock(piece, { key, closed: false, before: this.#before(key) });
		});
		return [...this.#closedBlocks, ...open];
	}

	/** The blocks that may be the one at `key`. */
	#before(key: number): readonly (MarkdownBlock | undefined)[] {
		return [this.#formerBlocks[key], this.#blocks[key]];
	}

	/** The one full pass (MD-06). Blocks without a bracket, and code, cannot hold a reference and render as before. */
	#lexAgainWithDefinitions(): readonly MarkdownBlock[] {
		const previous = this.#blocks.map((block) => (canHoldReference(block) ? undefined : block));
		const pieces = tokensToPieces(lexMarkdown(this.#source, {}));
		return pieces.map((piece, key) => pieceToBlock(piece, { key, closed: true, before: [previous[key]] }));
	}
}

/** As `startsWith`, which browsers do character by character; comparing whole strings is many times faster. */
export function isContinuation(text: string, before: string): boolean {
	return text.slice(0, before.length) === before;
}

/** How many of the first pieces no later text can change. */
function countClosed(pieces: readonly Piece[], tail: string): number {
	for (let index = pieces.length - 1; index >= 0; index--) {
		const piece = pieces[index];
		if (!piece) continue;
		if (isClosedFence(piece, tail)) return index + 1;
		if (isStartSettled(piece, pieces[index - 1], tail)) return index;
	}
	return 0;
}

function pieceToBlock(
	piece: Piece,
	options: { readonly key: number; readonly closed: boolean; readonly before: readonly (MarkdownBlock | undefined)[] }
): MarkdownBlock {
	const { key, closed, before } = options;
	const same = before.find((block) => block?.raw === piece.raw && isSameTokens(block.tokens, piece.tokens));
	if (!same) return { key, raw: piece.raw, closed, tokens: piece.tokens };
	return same.closed === closed ? same : { ...same, closed };
}

/** The source alone does not tell: marked reads ahead, so the lines after a block can change what is in it. */
function isSameTokens(before: readonly Token[], after: readonly Token[]): boolean {
	const visibleBefore = before.filter(isVisible);
	const visibleAfter = after.filter(isVisible);
	return (
		visibleBefore.length === visibleAfter.length &&
		visibleBefore.every((token, index) => {
			const other = visibleAfter[index];
			return (
				token.type === other?.type &&
				token.raw === other.raw &&
				token.text === other.text &&
				token.href === other.href &&
				rowsText(token) === rowsText(other) &&
				isSameTokens(childTokens(token), childTokens(other))
			);
		})
	);
}

function childTokens(token: Token): readonly Token[] {
	return token.items ?? token.tokens ?? [];
}

function canHoldReference({ raw, tokens }: MarkdownBlock): boolean {
	return raw.includes(']') && tokens.some((token) => isVisible(token) && token.type !== 'code');
}

/** The first definition of a label wins, as in a whole document. */
function keepDefinitions(tokens: readonly Token[], links: Links): void {
	for (const token of tokens) {
		if (token.tag !== undefined && token.href !== undefined) links[token.tag] ??= { href: token.href, title: token.title ?? null };
	}
}

function rowsText({ rows }: Token): string {
	return rows?.map((row) => row.map(({ text }) => text).join('|')).join('\n') ?? '';
}
