// What a person folded or unfolded in the outline of a tree, by the head of the line. Values: each change is a new one.
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { OutlineRow } from '#lib/core/domain/outline-rows.ts';

export type Folds = ReadonlyMap<NodeId, boolean>;

export const noFolds: Folds = new Map();

/** `folds` with the rows that can be folded set to `isFolded`. */
export function withFolds(folds: Folds, rows: readonly OutlineRow[], isFolded: boolean): Folds {
	const changed = new Map(folds);
	for (const row of rows) if (row.underCount > 0) changed.set(row.entry.node.id, isFolded);
	return changed;
}

/** The place of each row. */
export function indexRows(rows: readonly OutlineRow[]): ReadonlyMap<NodeId, number> {
	return new Map(rows.map((row, index) => [row.entry.node.id, index]));
}
