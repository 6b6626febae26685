import { err, ok } from '#lib/core/std/result.ts';
import { findDeepestLeaf } from '#lib/storage/queries/descend.ts';
import { isInsideToolCall, rememberChoice } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, logicalParent } from '../turns.ts';

export const handleThreadSelectBranch: Handler<'thread.selectBranch'> = (_deps, { threadId, nodeId, position = 'end' }) => ({
	kind: 'write',
	tables: ['threads', 'nodes', 'forkChoices'],
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		const node = await findNode(unit, threadId, nodeId);
		if (!node) return err({ code: 'node-not-found' });
		const target = position === 'before' ? await logicalParent(unit, node) : node;
		if (position !== 'end' && target && (await isInsideToolCall(unit, target))) return err({ code: 'node-inside-tool-call' });
		if (position !== 'before') await rememberChoice(unit, node);
		const leafId = position === 'end' ? await findDeepestLeaf(unit.database, threadId, node) : (target?.id ?? null);
		// No message was written: the place in the list stays (C-25).
		unit.putThread({ ...thread, leafId });
		return ok({ leafId });
	}
});
