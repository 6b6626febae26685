import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { branchTables, deleteNodes, leafWithout } from '../branches.ts';
import { findNode, threadAtRest } from '../turns.ts';

export const handleNodeDelete: Handler<'node.delete'> = (_deps, { threadId, nodeId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const thread = found.value;
		const node = await findNode(unit, threadId, nodeId);
		if (!node) return err({ code: 'node-not-found' });
		await deleteNodes(unit, [node]);
		const leafId = thread.leafId === nodeId ? await leafWithout(unit, node) : thread.leafId;
		unit.putThread({ ...thread, leafId });
		return ok({ leafId });
	}
});
