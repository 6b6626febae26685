import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../tests/fixtures/seeded-random.ts';
import { findDifferences, type FoundDifferences, type TextPiece } from './find-differences.ts';

const limits = { timeoutMs: 5_000, maxWords: 200_000, maxPieces: 100_000 };

function found(a: string, b: string): FoundDifferences {
	const differences = findDifferences(a, b, limits);
	if (differences.kind !== 'found') throw new Error('too different');
	return differences;
}

const told = (pieces: readonly TextPiece[]) => pieces.map(({ text, change }) => (change === null ? text : `[${text}]`)).join('');
const textOf = (pieces: readonly TextPiece[]) => pieces.map((piece) => piece.text).join('');
const sharedOf = (pieces: readonly TextPiece[]) =>
	pieces
		.filter((piece) => piece.change === null)
		.map((piece) => piece.text)
		.join('')
		.replace(/[^\S\n]+/gu, '');

describe('differences', () => {
	it('WORD-01: each side is its own text, and what is shared is the same', () => {
		const part = fc.constantFrom('one', 'two', 'three', ' ', '  ', '\n', '\n\t', '，', '天气', '好', '.', '`x`', '🙂');
		const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
		fc.assert(
			fc.property(text, text, (a, b) => {
				const differences = found(a, b);
				expect([textOf(differences.a), textOf(differences.b)]).toEqual([a, b]);
				expect(sharedOf(differences.a)).toBe(sharedOf(differences.b));
			})
		);
	});

	it('WORD-01: when only the lines can be compared first, too', () => {
		const line = fc.array(fc.constantFrom('one', 'two', 'three'), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
		const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
		fc.assert(
			fc.property(text, text, (a, b) => {
				const differences = findDifferences(a, b, { ...limits, maxWords: 0 });
				if (differences.kind !== 'found') throw new Error('too different');
				expect([textOf(differences.a), textOf(differences.b)]).toEqual([a, b]);
				expect(sharedOf(differences.a)).toBe(sharedOf(differences.b));
			})
		);
	});

	it('WORD-02: words of English and of Chinese', () => {
		const english = found('A short answer, with one fault.', 'A long answer, with one fault.');
		expect([told(english.a), told(english.b)]).toEqual(['A [short] answer, with one fault.', 'A [long] answer, with one fault.']);
		const chinese = found('今天天气很好，我们去公园散步吧。', '今天天气不好，我们去公园跑步吧。');
		expect(chinese.a.filter((piece) => piece.change !== null).length).toBe(2);
		expect(told(chinese.b).startsWith('今天天气[')).toBe(true);
	});

	it('WORD-03: a space more is no difference, a line and its indentation are', () => {
		expect(found('one  two three', 'one two   three').changes).toBe(0);
		expect(found('one two', 'one\ntwo').changes).toBe(1);
		const code = found('if x:\n  y()\nz()', 'if x:\n    y()\nz()');
		expect([code.changes, told(code.a)]).toEqual([1, 'if x:[\n  ]y()\nz()']);
	});

	it('WORD-04: counts', () => {
		const { changes, onlyInA, onlyInB, likeness } = found('one two three four', 'one 2 3 three five four');
		expect({ changes, onlyInA, onlyInB, likeness }).toEqual({ changes: 2, onlyInA: 1, onlyInB: 3, likeness: 0.6 });
		expect(found('', '')).toMatchObject({ changes: 0, likeness: 1, a: [], b: [] });
		expect(found('', 'new words')).toMatchObject({ changes: 1, onlyInB: 2, likeness: 0 });
		// What was taken away and what came in its place have one number.
		const numbers = found('a x b y c', 'a 1 b c z');
		expect(numbers.a.flatMap((piece) => piece.change ?? [])).toEqual([0, 1]);
		expect(numbers.b.flatMap((piece) => piece.change ?? [])).toEqual([0, 2]);
	});

	it('WORD-05: long pairs are found, hopeless ones given up in time', () => {
		const random = seededRandom(5);
		const words = (count: number) => Array.from({ length: count }, () => `w${Math.floor(random() * 3_000)}${random() < 0.08 ? '\n' : ''}`);
		const long = words(36_000);
		const edited = long.map((word, at) => (at % 90 === 7 ? 'changed' : word));
		const [a, b] = [long.join(' '), edited.join(' ')];
		expect(a.length).toBeGreaterThan(200_000);
		const differences = findDifferences(a, b, { timeoutMs: 10_000, maxWords: 200_000, maxPieces: 4_000 });
		expect(differences).toMatchObject({ kind: 'found', changes: 400, onlyInA: 400 });
		const startMs = performance.now();
		expect(findDifferences(a, words(36_000).join(' '), { ...limits, timeoutMs: 300 })).toEqual({ kind: 'too-different' });
		// Cutting the texts into words is not bounded, and a busy machine is given its time.
		expect(performance.now() - startMs).toBeLessThan(6_000);
		expect(findDifferences('a b c d', 'a x c y', { ...limits, maxPieces: 2 })).toEqual({ kind: 'too-different' });
	});
});
