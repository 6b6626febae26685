// The lines that are drawn at the left of the outline's rows. Because a branch stands before what goes straight on, every line
// to the left of a row goes on below it. SPEC.md OUTL-03.
import type { OutlineRow } from '#lib/core/domain/outline-rows.ts';

export interface Rails {
	/** For each step left of the row, whether the line that passes there is the one in view; null: none passes. */
	readonly passing: readonly (boolean | null)[];
	/** What comes from above: straight, from the side, or nothing. */
	readonly from: 'above' | 'side' | 'none';
	readonly isFromOnPath: boolean;
	/** Whether the row's own line goes on below; null: it ends here. */
	readonly isNextOnPath: boolean | null;
}

export function railsOf(rows: readonly OutlineRow[]): Rails[] {
	const rails: Rails[] = [];
	/** The next row below at each step. */
	const below: (OutlineRow | undefined)[] = [];
	for (let at = rows.length - 1; at >= 0; at--) {
		const row = rows[at];
		if (!row) continue;
		const { entry, indent, isHead, parentRowId } = row;
		const next = below[indent];
		const lineId = isHead ? entry.node.id : parentRowId;
		const goesOn = next !== undefined && !next.isHead && next.parentRowId === lineId;
		rails[at] = {
			passing: Array.from({ length: indent }, (_, step) => {
				const passer = below[step];
				return passer === undefined || passer.isHead ? null : passer.entry.isOnPath;
			}),
			from: isHead ? (indent > 0 && entry.parentId !== null ? 'side' : 'none') : 'above',
			isFromOnPath: entry.isOnPath,
			isNextOnPath: goesOn ? next.entry.isOnPath : null
		};
		below[indent] = row;
		below.length = indent + 1;
	}
	return rails;
}
