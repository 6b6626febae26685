import { countVisible, otherBranches } from '#lib/core/domain/branches.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { branchTables, deleteNodes, readTree } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { isThreadBusy } from '../turns.ts';

export const handleBranchDeleteOthers: Handler<'branch.deleteOthers'> = (_deps, { threadId, leafId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		if (thread.leafId !== leafId) return err({ code: 'cursor-moved' });
		if (await isThreadBusy(unit, threadId)) return err({ code: 'thread-busy' });
		const others = otherBranches(await readTree(unit, threadId), leafId).filter((node) => node.deleted !== true);
		// Names of messages that stay are no branch.
		const goingIds = new Set(others.filter((node) => node.type !== 'label').map((node) => node.id));
		const living = others.filter((node) => node.type !== 'label' || goingIds.has(node.payload.targetId));
		if (living.length === 0) return ok({ count: 0, deletion: null });
		return ok({ count: countVisible(living), deletion: await deleteNodes(unit, living) });
	}
});
