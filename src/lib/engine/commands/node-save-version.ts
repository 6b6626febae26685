import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, logicalParent, threadAtRest } from '../turns.ts';

export const handleNodeSaveVersion: Handler<'node.saveVersion'> = (_deps, { threadId, nodeId, messageNodeId, text }) => ({
	kind: 'write',
	tables: ['threads', 'nodes', 'forkChoices', 'runs'],
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const node = await findNode(unit, threadId, nodeId);
		if (!node) return err({ code: 'node-not-found' });
		if (node.type !== 'user_message') return err({ code: 'node-not-a-question' });
		const parentId = (await logicalParent(unit, node))?.id ?? null;
		const version = await unit.append(threadId, {
			id: messageNodeId,
			parentId,
			content: { type: 'user_message', payload: { content: [{ type: 'text', text }] } }
		});
		if (parentId !== null) unit.put('forkChoices', { threadId, parentId, childId: version.id });
		const grown = (await unit.thread(threadId)) ?? found.value;
		unit.putThread({ ...grown, leafId: version.id, updatedAt: unit.nowMs });
		return ok({});
	}
});
