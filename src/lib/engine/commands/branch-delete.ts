import { branchOf, countVisible } from '#lib/core/domain/branches.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { branchTables, deleteNodes, leafWithout, readTree } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, threadAtRest } from '../turns.ts';

export const handleBranchDelete: Handler<'branch.delete'> = (_deps, { threadId, nodeId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const thread = found.value;
		const node = await findNode(unit, threadId, nodeId);
		if (!node) return err({ code: 'node-not-found' });
		// What was deleted before keeps its own deletion, and does not come back with this one.
		const living = branchOf(await readTree(unit, threadId), nodeId).filter((each) => each.deleted !== true);
		const deletion = await deleteNodes(unit, living);
		const isCursorInside = living.some((each) => each.id === thread.leafId);
		const leafId = isCursorInside ? await leafWithout(unit, node) : thread.leafId;
		unit.putThread({ ...thread, leafId });
		return ok({ leafId, count: countVisible(living), deletion });
	}
});
