import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { findDeepestLeaf } from '#lib/storage/queries/descend.ts';
import type { UnitOfWork } from '#lib/storage/writes/write-transaction.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode } from '../turns.ts';

export const handleThreadSelectBranch: Handler<'thread.selectBranch'> = (_deps, { threadId, nodeId }) => ({
	kind: 'write',
	tables: ['threads', 'nodes', 'forkChoices'],
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		const node = await findNode(unit, threadId, nodeId);
		if (!node) return err({ code: 'node-not-found' });
		await rememberChoice(unit, node);
		const leafId = await findDeepestLeaf(unit.database, threadId, node);
		// No message was written: the place in the list stays (C-25).
		unit.putThread({ ...thread, leafId });
		return ok({ leafId });
	}
});

/** Each step from the message up to the one before it: the choice may lie at a turn context or a tombstone between them. */
async function rememberChoice(unit: UnitOfWork, chosen: TreeNode): Promise<void> {
	const seen = new Set<string>();
	for (let node: TreeNode | undefined = chosen; node && node.parentId !== null && !seen.has(node.id);) {
		seen.add(node.id);
		await unit.database.forkChoices.put({ threadId: node.threadId, parentId: node.parentId, childId: node.id });
		node = await unit.database.nodes.get(node.parentId);
		if (node && isVisible(node)) return;
	}
}
