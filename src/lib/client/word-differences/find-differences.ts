// Which words two texts do not share. Pure but for the clock that bounds it; made for a worker. SPEC.md WORD-01 to WORD-05.
import { diffArrays } from 'diff';

/** A stretch of one text. `change`: the number of the difference that it is part of, from 0; null for what both have. */
export interface TextPiece {
	readonly text: string;
	readonly change: number | null;
}

export interface FoundDifferences {
	readonly kind: 'found';
	/** The two texts, each to the letter. */
	readonly a: readonly TextPiece[];
	readonly b: readonly TextPiece[];
	readonly changes: number;
	/** Words that only one of them has. */
	readonly onlyInA: number;
	readonly onlyInB: number;
	/** How much of their words both share, from 0 to 1. */
	readonly likeness: number;
}

/** `too-different`: showing word by word would take too long, or be too many marks to read. */
export type Differences = FoundDifferences | { readonly kind: 'too-different' };

export interface DifferenceLimits {
	/** For the words of the whole texts, then again for their lines and the words in the lines that changed. */
	readonly timeoutMs: number;
	/** Texts of more words than this are compared by their lines first. */
	readonly maxWords: number;
	/** Most stretches on a side. */
	readonly maxPieces: number;
}

const usualLimits: DifferenceLimits = { timeoutMs: 1_200, maxWords: 200_000, maxPieces: 4_000 };

/** A word or a sign, with the spaces after it; or a line's end with the indentation of the next line. */
interface Token {
	readonly text: string;
	/** What it is known by: its spaces do not count, where they do not begin a line. */
	readonly key: number;
	readonly isWord: boolean;
}

/** A stretch of tokens: how many of each text, and whether they are the same. */
interface Stretch {
	readonly countA: number;
	readonly countB: number;
	readonly isShared: boolean;
}

export function findDifferences(a: string, b: string, limits: DifferenceLimits = usualLimits): Differences {
	const keys = new Map<string, number>();
	const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
	const [tokensA, tokensB] = [tokensOf(a, segmenter, keys), tokensOf(b, segmenter, keys)];
	const keysOf = (tokens: readonly Token[]) => tokens.map((token) => token.key);
	const isForWords = tokensA.length + tokensB.length <= limits.maxWords;
	const stretches =
		(isForWords ? stretchesOf(keysOf(tokensA), keysOf(tokensB), limits.timeoutMs) : null) ??
		stretchesByLines(tokensA, tokensB, keysOf, limits.timeoutMs);
	return stretches === null ? { kind: 'too-different' } : differencesOf(stretches, tokensA, tokensB, limits.maxPieces);
}

function tokensOf(text: string, segmenter: Intl.Segmenter, keys: Map<string, number>): Token[] {
	const tokens: Token[] = [];
	const keyOf = (part: string) => {
		const known = keys.get(part);
		if (known !== undefined) return known;
		keys.set(part, keys.size);
		return keys.size - 1;
	};
	let space = '';
	const closeSpace = () => {
		if (space === '') return;
		const last = tokens.at(-1);
		// Spaces belong to the word before them; a line's end, and what a line begins with, stand for themselves.
		if (last && !space.includes('\n')) tokens[tokens.length - 1] = { ...last, text: last.text + space };
		else tokens.push({ text: space, key: keyOf(space), isWord: false });
		space = '';
	};
	for (const { segment, isWordLike } of segmenter.segment(text)) {
		if (segment.trim() === '') {
			space += segment;
			continue;
		}
		closeSpace();
		tokens.push({ text: segment, key: keyOf(segment), isWord: isWordLike === true });
	}
	closeSpace();
	return tokens;
}

/** Null when it would take longer. */
function stretchesOf(a: number[], b: number[], timeoutMs: number): Stretch[] | null {
	const changes = diffArrays(a, b, { timeout: timeoutMs });
	return (
		changes?.map(({ count, added, removed }) => ({
			countA: added ? 0 : count,
			countB: removed ? 0 : count,
			isShared: !added && !removed
		})) ?? null
	);
}

/** For texts of which the words are too many to be set against each other at once: their lines, then the words of what changed. */
function stretchesByLines(
	tokensA: readonly Token[],
	tokensB: readonly Token[],
	keysOf: (tokens: readonly Token[]) => number[],
	timeoutMs: number
): Stretch[] | null {
	const endsAtMs = Date.now() + timeoutMs;
	const keys = new Map<string, number>();
	const [linesA, linesB] = [linesOf(tokensA, keys), linesOf(tokensB, keys)];
	const changed = stretchesOf(
		linesA.map((line) => line.key),
		linesB.map((line) => line.key),
		timeoutMs
	);
	if (changed === null) return null;
	const found: Stretch[] = [];
	const at = { lineA: 0, lineB: 0, tokenA: 0, tokenB: 0 };
	const take = (countA: number, countB: number) => {
		const sum = (lines: readonly Line[], from: number, count: number) =>
			lines.slice(from, from + count).reduce((all, line) => all + line.count, 0);
		const taken = { countA: sum(linesA, at.lineA, countA), countB: sum(linesB, at.lineB, countB) };
		at.lineA += countA;
		at.lineB += countB;
		return taken;
	};
	for (let index = 0; index < changed.length; index++) {
		const stretch = changed[index];
		if (!stretch) continue;
		let { countA, countB } = take(stretch.countA, stretch.countB);
		const next = changed[index + 1];
		if (!stretch.isShared && next && !next.isShared) {
			// What was taken away and what came in its place.
			const more = take(next.countA, next.countB);
			countA += more.countA;
			countB += more.countB;
			index += 1;
		}
		if (stretch.isShared) found.push({ countA, countB, isShared: true });
		else {
			const wordsA = keysOf(tokensA.slice(at.tokenA, at.tokenA + countA));
			const wordsB = keysOf(tokensB.slice(at.tokenB, at.tokenB + countB));
			const inside = stretchesOf(wordsA, wordsB, Math.max(0, endsAtMs - Date.now()));
			if (inside === null) return null;
			for (const part of inside) found.push(part);
		}
		at.tokenA += countA;
		at.tokenB += countB;
	}
	return found;
}

interface Line {
	readonly key: number;
	/** Of tokens. */
	readonly count: number;
}

function linesOf(tokens: readonly Token[], keys: Map<string, number>): Line[] {
	const lines: Line[] = [];
	let open: number[] = [];
	const close = () => {
		if (open.length === 0) return;
		const name = open.join(' ');
		const key = keys.get(name) ?? keys.size;
		keys.set(name, key);
		lines.push({ key, count: open.length });
		open = [];
	};
	for (const token of tokens) {
		open.push(token.key);
		if (token.text.includes('\n')) close();
	}
	close();
	return lines;
}

function differencesOf(
	stretches: readonly Stretch[],
	tokensA: readonly Token[],
	tokensB: readonly Token[],
	maxPieces: number
): Differences {
	const [a, b]: [TextPiece[], TextPiece[]] = [[], []];
	const words = { shared: 0, onlyInA: 0, onlyInB: 0 };
	let [atA, atB, changes] = [0, 0, 0];
	let isInChange = false;
	for (const { countA, countB, isShared } of stretches) {
		const [takenA, takenB] = [tokensA.slice(atA, atA + countA), tokensB.slice(atB, atB + countB)];
		atA += countA;
		atB += countB;
		const wordsOf = (tokens: readonly Token[]) => tokens.filter((token) => token.isWord).length;
		if (isShared) words.shared += wordsOf(takenA);
		else {
			words.onlyInA += wordsOf(takenA);
			words.onlyInB += wordsOf(takenB);
			if (!isInChange) changes += 1;
		}
		isInChange = !isShared;
		const change = isShared ? null : changes - 1;
		addPiece(a, takenA, change);
		addPiece(b, takenB, change);
		if (Math.max(a.length, b.length) > maxPieces) return { kind: 'too-different' };
	}
	const all = 2 * words.shared + words.onlyInA + words.onlyInB;
	return {
		kind: 'found',
		a,
		b,
		changes,
		onlyInA: words.onlyInA,
		onlyInB: words.onlyInB,
		likeness: all === 0 ? 1 : (2 * words.shared) / all
	};
}

/** The spaces after a changed word are no change of it; those that begin a line are. */
function addPiece(pieces: TextPiece[], tokens: readonly Token[], change: number | null): void {
	const text = tokens.map((token) => token.text).join('');
	if (text === '') return;
	const words = change === null ? text : text.replace(/(?<=\S)[^\S\n]+$/u, '');
	if (words !== '') push(pieces, words, change);
	if (words !== text) push(pieces, text.slice(words.length), null);
}

function push(pieces: TextPiece[], text: string, change: number | null): void {
	const last = pieces.at(-1);
	if (last && last.change === change) pieces[pieces.length - 1] = { text: last.text + text, change };
	else pieces.push({ text, change });
}
