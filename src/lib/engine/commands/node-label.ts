import { isVisible } from '#lib/core/domain/nodes.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { appendTables } from '#lib/storage/writes/write-transaction.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode } from '../turns.ts';

export const handleNodeLabel: Handler<'node.label'> = (_deps, { threadId, labelNodeId, targetId, label }) => ({
	kind: 'write',
	tables: appendTables,
	async decide(unit) {
		if (!(await unit.thread(threadId))) return err({ code: 'thread-not-found' });
		const target = await findNode(unit, threadId, targetId);
		if (!target || !isVisible(target)) return err({ code: 'node-not-found' });
		await unit.append(threadId, {
			id: labelNodeId,
			parentId: targetId,
			content: { type: 'label', payload: { targetId, label: label === '' ? null : label } }
		});
		return ok({});
	}
});
