import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, isThreadBusy } from '../turns.ts';

export const handleNodeRestore: Handler<'node.restore'> = (_deps, { threadId, nodeId, leafId }) => ({
	kind: 'write',
	tables: ['threads', 'nodes', 'runs', 'outbox'],
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		if (await isThreadBusy(unit, threadId)) return err({ code: 'thread-busy' });
		const node = await unit.database.nodes.get(nodeId);
		if (!node || node.threadId !== threadId) return err({ code: 'node-not-found' });
		if (node.deleted) {
			const ord = unit.stamp(node.ord, node.deletedOrd);
			await unit.database.nodes
				.where('id')
				.equals(nodeId)
				.modify((row: { deleted?: true; deletedOrd?: string }) => {
					delete row.deleted;
					row.deletedOrd = ord;
				});
			await unit.database.outbox.add({ table: 'nodes', key: nodeId, threadId, change: 'restored', ord });
		}
		if (leafId !== undefined && (leafId === nodeId || (await findNode(unit, threadId, leafId)))) unit.putThread({ ...thread, leafId });
		// Nothing was left of the thread: what came back is in view again.
		else if (thread.leafId === null) unit.putThread({ ...thread, leafId: nodeId });
		return ok({});
	}
});
