import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { branchTables, restoreNodes } from '../branches.ts';
import { findNode, threadAtRest } from '../turns.ts';

export const handleNodeRestore: Handler<'node.restore'> = (_deps, { threadId, nodeId, leafId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const thread = found.value;
		const node = await unit.database.nodes.get(nodeId);
		if (!node || node.threadId !== threadId) return err({ code: 'node-not-found' });
		if (node.deleted) await restoreNodes(unit, [node]);
		if (leafId !== undefined && (leafId === nodeId || (await findNode(unit, threadId, leafId)))) unit.putThread({ ...thread, leafId });
		// Nothing was left of the thread: what came back is in view again.
		else if (thread.leafId === null) unit.putThread({ ...thread, leafId: nodeId });
		return ok({});
	}
});
