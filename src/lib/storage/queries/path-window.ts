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
		if (hasHints(last) && last.segmentId !== last.id) {
			const missing = limit - upwards.length;
			const rows = await database.nodes
				.where('[threadId+segmentId+depth]')
				.between([threadId, last.segmentId, last.depth - missing], [threadId, last.segmentId, last.depth], true, false)
				.toArray();
			const rowsById = new Map(rows.map((row) => [row.id, row]));
			let next = rowsById.get(last.parentId);
			const countBefore = upwards.length;
			if (next) {
				while (next && upwards.length < limit && take(next)) {
					last = next;
					next = last.parentId === null ? undefined : rowsById.get(last.parentId);
				}
				if (upwards.length === countBefore) return { nodes: upwards.reverse(), startsAtRoot: false, isBroken: true };
				continue;
			}
		}
		const parent: TreeNode | undefined = await database.nodes.get(last.parentId);
		if (!take(parent)) return { nodes: upwards.reverse(), startsAtRoot: false, isBroken: true };
		last = parent;
	}
	return { nodes: upwards.reverse(), startsAtRoot: last.parentId === null, isBroken: false };
}

/** False for a node whose hints are no keys at all: its parents are walked one by one. */
export function hasHints(node: Pick<TreeNode, 'segmentId' | 'depth'>): boolean {
	return typeof node.segmentId === 'string' && Number.isFinite(node.depth);
}

/** How many nodes the way up to the window is read in at once. */
const climbNodes = 200;

/**
 * The nodes under `id` on the way down to `endId`, up to `limit`, nearest first; for reading on below a window. Empty when
 * `id` is not on that way.
 */
export async function readPathBelow(
	database: BoughDatabase,
	threadId: ThreadId,
	id: NodeId,
	endId: NodeId,
	limit: number
): Promise<readonly TreeNode[]> {
	let below: readonly TreeNode[] = [];
	const climbed = new Set<NodeId>();
	for (let nextId: NodeId | null = endId; nextId !== null && !climbed.has(nextId);) {
		climbed.add(nextId);
		const { nodes, isBroken }: PathWindow = await readPathWindow(database, threadId, nextId, climbNodes);
		const at = nodes.findIndex((node) => node.id === id);
		below = [...nodes.slice(at + 1), ...below].slice(0, limit);
		if (at >= 0) return below;
		if (isBroken) return [];
		nextId = nodes[0]?.parentId ?? null;
	}
	return [];
}
