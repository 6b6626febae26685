import type { NodeId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { findDeepestLeaf } from '#lib/storage/queries/descend.ts';
import { readNewestVisibleId } from '#lib/storage/queries/leaf.ts';
import type { UnitOfWork } from '#lib/storage/writes/write-transaction.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, isThreadBusy, logicalParent } from '../turns.ts';

export const handleNodeDelete: Handler<'node.delete'> = (_deps, { threadId, nodeId }) => ({
	kind: 'write',
	tables: ['threads', 'nodes', 'forkChoices', 'runs', 'outbox'],
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		if (await isThreadBusy(unit, threadId)) return err({ code: 'thread-busy' });
		const node = await findNode(unit, threadId, nodeId);
		if (!node) return err({ code: 'node-not-found' });
		const ord = unit.stamp(node.ord, node.deletedOrd);
		await unit.database.nodes.update(nodeId, { deleted: true, deletedOrd: ord });
		await unit.database.outbox.add({ table: 'nodes', key: nodeId, threadId, change: 'deleted', ord });
		const leafId = thread.leafId === nodeId ? await leafWithout(unit, node) : thread.leafId;
		unit.putThread({ ...thread, leafId });
		return ok({ leafId });
	}
});

/**
 * The cursor never rests on a tombstone: it climbs to the message before, and from there down what is left of its branches, so
 * that another version of the deleted message comes into view. Null when nothing is left of the whole thread.
 */
async function leafWithout(unit: UnitOfWork, node: TreeNode): Promise<NodeId | null> {
	const above = await logicalParent(unit, node);
	return above ? findDeepestLeaf(unit.database, node.threadId, above) : readNewestVisibleId(unit.database, node.threadId);
}
