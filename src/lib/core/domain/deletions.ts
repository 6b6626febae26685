// What was deleted in a thread and can be had back: one deletion is all tombstones of one stamp. Pure. SPEC.md TREE-40.
import type { Stamp } from './ids.ts';
import { isVisible } from './nodes.ts';
import type { OutlineNode } from './outline.ts';
import { parseStamp } from './stamp.ts';

export interface Deletion {
	readonly stamp: Stamp;
	/** Unix ms; null when the stamp is none of ours. */
	readonly deletedAtMs: number | null;
	/** Messages that a person saw. */
	readonly count: number;
	/** The first of them. */
	readonly first: OutlineNode;
}

/** Newest first. Deletions of nothing that was seen are left out, and so are tombstones without a stamp, which have no way back. */
export function deletionsOf(nodes: Iterable<OutlineNode>): Deletion[] {
	const byStamp = new Map<Stamp, { count: number; first: OutlineNode }>();
	for (const node of nodes) {
		if (!node.deleted || node.deletedOrd === undefined || !isVisible({ type: node.type })) continue;
		const known = byStamp.get(node.deletedOrd);
		if (!known) byStamp.set(node.deletedOrd, { count: 1, first: node });
		else {
			known.count += 1;
			if (node.seq < known.first.seq) known.first = node;
		}
	}
	return [...byStamp]
		.map(([stamp, { count, first }]) => ({ stamp, deletedAtMs: parseStamp(stamp)?.timeMs ?? null, count, first }))
		.sort((a, b) => (a.stamp < b.stamp ? 1 : -1));
}
