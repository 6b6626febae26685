// What is wrong with a stored tree, whatever wrote it, and where its cursor can stand. Pure, iterative, bounded. SPEC.md TREE-19 (P-092 to P-095).
import type { NodeId } from './ids.ts';
import { isVisible } from './nodes.ts';
import type { Thread } from './threads.ts';
import { branchOf, countVisible } from './branches.ts';
import type { Tree, TreeEntry } from './tree.ts';

export interface Damage {
	/** Messages that no root leads to: a parent is missing, or a circle of parents. Kept, and shown apart in the tree. */
	readonly cutOff: number;
	/** Numbers that two nodes carry: their order falls back on the ids. */
	readonly doubleSeqs: number;
	/** True when the cursor reaches no root, or names a node that is gone or deleted. */
	readonly isCursorLost: boolean;
	/** Where the cursor can stand: the one stored when it is good, else the newest visible leaf that a root leads to, else the newest visible node; null when nothing is visible. */
	readonly leafId: NodeId | null;
	/** At least the greatest `seq`. */
	readonly lastSeq: number;
}

export function damageOf(tree: Tree, thread: Pick<Thread, 'leafId' | 'lastSeq'>): Damage {
	const reached = new Set<NodeId>();
	for (const root of tree.childrenByParentId.get(null) ?? []) for (const node of branchOf(tree, root.id)) reached.add(node.id);
	const all = [...tree.nodesById.values()];
	const seqs = new Set<number>();
	let doubleSeqs = 0;
	let lastSeq = thread.lastSeq;
	for (const { seq } of all) {
		if (seqs.has(seq)) doubleSeqs++;
		seqs.add(seq);
		lastSeq = Math.max(lastSeq, seq);
	}
	const stored = thread.leafId === null ? null : tree.nodesById.get(thread.leafId);
	const isCursorLost = thread.leafId !== null && (!stored || stored.deleted === true || !reached.has(stored.id));
	return {
		cutOff: countVisible(all.filter((node) => !reached.has(node.id))),
		doubleSeqs,
		isCursorLost,
		leafId: isCursorLost ? (newest(all.filter((node) => reached.has(node.id))) ?? newest(all)) : thread.leafId,
		lastSeq
	};
}

/** The visible node with the greatest `seq`: nothing visible that came later hangs under it. */
function newest(nodes: readonly TreeEntry[]): NodeId | null {
	let found: TreeEntry | null = null;
	for (const node of nodes) if (isVisible(node) && (found === null || node.seq > found.seq)) found = node;
	return found?.id ?? null;
}
