import { expect, it } from 'vitest';
import type { ThreadRow } from '#lib/client/thread-rows.ts';
import { stretchAround } from './gradual-rows.svelte.ts';

/** Rows `0` to `count - 1`. */
const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, at) => ({ kind: 'other', key: `${at}`, node: { id: `${at}` } }) as ThreadRow);
const drawnOf = (...numbers: number[]) => new Set(numbers.map((at) => `${at} ${at}`));

it('VIEW-32 drawing goes out from where the reader is, downwards first, and never takes away what stands there', () => {
	const rows = rowsOf(10);
	expect(stretchAround(rows, 9, new Set(), 3)).toEqual([7, 10]);
	expect(stretchAround(rows, 9, drawnOf(7, 8, 9), 3)).toEqual([4, 10]);
	expect(stretchAround(rows, 2, new Set(), 3)).toEqual([2, 5]);
	// A branch was chosen at 4: what stands above stays, what is below is new.
	expect(stretchAround(rows, 4, drawnOf(0, 1, 2, 3, 4), 2)).toEqual([0, 7]);
	// Older messages came: what is read stays, with what is below it.
	expect(stretchAround(rows, 6, drawnOf(5, 6, 7, 8, 9), 2)).toEqual([3, 10]);
	expect(stretchAround(rows, 6, drawnOf(5, 6, 7, 8, 9), Infinity)).toEqual([0, 10]);
	expect(stretchAround([], 0, new Set(), 3)).toEqual([0, 0]);
	// A row that shows another message is a new one.
	expect(stretchAround(rows, 1, new Set(['0 0', '1 other', '2 2']), 1)).toEqual([0, 3]);
});
