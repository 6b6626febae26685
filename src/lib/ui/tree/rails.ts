// The lines that are drawn at the left of the outline's rows. Because a branch stands before what goes straight on, every line
// to the left of a row goes on below it. SPEC.md OUTL-03.
import type { OutlineRow } from '#lib/core/domain/outline-rows.ts';

export interface Rails {
	/** For each step left of the row, whether the branch in view comes down there; null: no line passes. */
	readonly passing: readonly (boolean | null)[];
	/** What comes from above: straight, from the side, or nothing. */
	readonly from: 'above' | 'side' | 'none';
	/** Whether a line leaves below, and whether the branch in view goes on in it, straight or to a side; null: none leaves. */
	readonly isNextOnPath: boolean | null;
}

export function railsOf(rows: readonly OutlineRow[]): Rails[] {
	const rails: Rails[] = [];
	/** The lines at the upper edge of the row below: whether the branch in view is in them; null where there is none. */
	const below: (boolean | null)[] = [];
	for (let at = rows.length - 1; at >= 0; at--) {
		const row = rows[at];
		if (!row) continue;
		const { entry, indent, isHead } = row;
		const from = !isHead ? 'above' : indent > 0 && entry.parentId !== null ? 'side' : 'none';
		rails[at] = { passing: Array.from({ length: indent }, (_, step) => below[step] ?? null), from, isNextOnPath: below[indent] ?? null };
		below.length = indent + 1;
		below[indent] = from === 'above' ? entry.isOnPath : null;
		if (from === 'side' && entry.isOnPath) below[indent - 1] = true;
	}
	return rails;
}
