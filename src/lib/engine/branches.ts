// Whole trees and stretches of them inside a command's transaction, and tombstones by the branch. ENGINE WORKER.
import type { NodeId, Stamp, ThreadId } from '#lib/core/domain/ids.ts';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { openCalls } from '#lib/core/domain/branches.ts';
import { treeOf, type Tree } from '#lib/core/domain/tree.ts';
import { findDeepestLeaf } from '#lib/storage/queries/descend.ts';
import { readNewestVisibleId } from '#lib/storage/queries/leaf.ts';
import type { UnitOfWork } from '#lib/storage/writes/write-transaction.ts';
import { logicalParent } from './turns.ts';

export const branchTables = ['threads', 'nodes', 'forkChoices', 'runs', 'outbox'] as const;

/** Every node of the thread. */
export async function readTree(unit: UnitOfWork, threadId: ThreadId): Promise<Tree<TreeNode>> {
	return treeOf(await unit.database.nodes.where('threadId').equals(threadId).toArray());
}

/** Makes tombstones of one deletion: all carry the same stamp, which names it. Each leaves a row in the outbox. */
export async function deleteNodes(unit: UnitOfWork, nodes: readonly TreeNode[]): Promise<Stamp> {
	const ord = unit.stamp(latest(nodes));
	await unit.database.nodes.bulkUpdate(nodes.map(({ id }) => ({ key: id, changes: { deleted: true, deletedOrd: ord } })));
	await unit.database.outbox.bulkAdd(nodes.map(({ id, threadId }) => ({ table: 'nodes', key: id, threadId, change: 'deleted', ord })));
	return ord;
}

/** Takes tombstones back, under a later stamp. */
export async function restoreNodes(unit: UnitOfWork, nodes: readonly TreeNode[]): Promise<void> {
	const ord = unit.stamp(latest(nodes));
	await unit.database.nodes.bulkPut(
		nodes.map((node) => {
			const { deleted: _, ...living } = node;
			return { ...living, deletedOrd: ord };
		})
	);
	await unit.database.outbox.bulkAdd(nodes.map(({ id, threadId }) => ({ table: 'nodes', key: id, threadId, change: 'restored', ord })));
}

/** The greatest stamp that the nodes carry. */
function latest(nodes: readonly TreeNode[]): Stamp | undefined {
	let found: Stamp | undefined;
	for (const { ord, deletedOrd } of nodes) {
		for (const stamp of [ord, deletedOrd]) if (stamp !== undefined && (found === undefined || stamp > found)) found = stamp;
	}
	return found;
}

/**
 * The cursor never rests on a tombstone: it climbs to the message before, and from there down what is left of its branches, so
 * that another version of the deleted message comes into view. Null when nothing is left of the whole thread.
 */
export async function leafWithout(unit: UnitOfWork, node: TreeNode): Promise<NodeId | null> {
	const above = await logicalParent(unit, node);
	return above ? findDeepestLeaf(unit.database, node.threadId, above) : readNewestVisibleId(unit.database, node.threadId);
}

/** Each step from the message up to the one before it: the choice may lie at a turn context or a tombstone between them. */
export async function rememberChoice(unit: UnitOfWork, chosen: TreeNode): Promise<void> {
	const seen = new Set<string>();
	for (let node: TreeNode | undefined = chosen; node && node.parentId !== null && !seen.has(node.id);) {
		seen.add(node.id);
		await unit.database.forkChoices.put({ threadId: node.threadId, parentId: node.parentId, childId: node.id });
		node = await unit.database.nodes.get(node.parentId);
		if (node && isVisible(node)) return;
	}
}

/** True when a call before `node`, or `node` itself, still waits for its result at this point of the branch (I-26). */
export async function isInsideToolCall(unit: UnitOfWork, node: TreeNode): Promise<boolean> {
	const stretch: TreeNode[] = [];
	const seen = new Set<NodeId>();
	for (let at: TreeNode | undefined = node; at && !seen.has(at.id);) {
		seen.add(at.id);
		stretch.push(at);
		if (at.type === 'user_message' || at.type === 'assistant_message' || at.parentId === null) break;
		at = await unit.database.nodes.get(at.parentId);
	}
	return openCalls(stretch.reverse()).size > 0;
}
