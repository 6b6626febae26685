// Reads a window of a branch: its last nodes up to a given end, in one or two range reads at any size of thread. SPEC.md DB-10.
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { BoughDatabase } from '../database.ts';

export interface PathWindow {
	/** Nearer the root first; the end that was asked for is last. Empty when that node does not exist. */
	readonly nodes: readonly TreeNode[];
	/** True when the first node is a root. */
	readonly startsAtRoot: boolean;
	/** True when a parent is missing, of another thread, or comes twice: the walk ended there. */
	readonly isBroken: boolean;
}

/**
 * The node `endId` and up to `limit - 1` ancestors. Segments say where to look; what is taken is decided by the parent
 * chain alone, so that a wrong hint costs a read and nothing else.
 */
export async function readPathWindow(database: BoughDatabase, threadId: ThreadId, endId: NodeId, limit: number): Promise<PathWindow> {
	const end = await database.nodes.get(endId);
	if (!end || end.threadId !== threadId) return { nodes: [], startsAtRoot: false, isBroken: true };
	const upwards: TreeNode[] = [end];
	const taken = new Set<NodeId>([end.id]);
	const take = (node: TreeNode | undefined): node is TreeNode => {
		if (!node || node.threadId !== threadId || taken.has(node.id)) return false;
		taken.add(node.id);
		upwards.push(node);
		return true;
	};
	let last = end;
	while (upwards.length < limit && last.parentId !== null) {
		if (last.segmentId !== last.id) {
			const missing = limit - upwards.length;
			const rows = await database.nodes
				.where('[threadId+segmentId+depth]')
				.between([threadId, last.segmentId, last.depth - missing], [threadId, last.segmentId, last.depth], true, false)
				.toArray();
			const rowsById = new Map(rows.map((row) => [row.id, row]));
			let next = rowsById.get(last.parentId);
			if (next) {
				while (next && upwards.length < limit && take(next)) {
					last = next;
					next = last.parentId === null ? undefined : rowsById.get(last.parentId);
				}
				continue;
			}
		}
		const parent: TreeNode | undefined = await database.nodes.get(last.parentId);
		if (!take(parent)) return { nodes: upwards.reverse(), startsAtRoot: false, isBroken: true };
		last = parent;
	}
	return { nodes: upwards.reverse(), startsAtRoot: last.parentId === null, isBroken: false };
}

/** The nodes under `id` on the way down to `endId`, up to `limit`, nearest first; for reading on below a window. */
export async function readPathBelow(
	database: BoughDatabase,
	threadId: ThreadId,
	id: NodeId,
	endId: NodeId,
	limit: number
): Promise<readonly TreeNode[]> {
	const [from, end] = await database.nodes.bulkGet([id, endId]);
	if (!from || !end || end.depth <= from.depth) return [];
	let endDepthId = endId;
	// The branch above `endId` is walked up segment by segment until the window that follows `from` is reached.
	for (let span = end.depth - from.depth; span > limit;) {
		const window = await readPathWindow(database, threadId, endDepthId, span - limit + 1);
		const first = window.nodes[0];
		if (!first || window.isBroken) return [];
		endDepthId = first.id;
		span = first.depth - from.depth;
	}
	const window = await readPathWindow(database, threadId, endDepthId, limit + 1);
	return window.nodes.filter((node) => node.depth > from.depth);
}
