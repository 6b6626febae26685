import { newThread } from '#lib/core/domain/threads.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { readLeafId } from '#lib/storage/queries/leaf.ts';
import type { Handler } from '../engine-deps.ts';
import { beginTurn, newThreadRefusal, turnRefusal, turnTables } from '../turns.ts';

export const handleTurnSubmit: Handler<'turn.submit'> = (deps, payload, identity) => ({
	kind: 'write',
	tables: turnTables,
	async decide(unit) {
		const refusal = payload.createsThread ? await newThreadRefusal(unit, payload) : await turnRefusal(unit, payload);
		if (refusal) return err({ code: refusal });
		if (payload.createsThread) unit.putThread(newThread(payload.threadId, unit.nowMs));
		const thread = await unit.thread(payload.threadId);
		await beginTurn(unit, identity, payload, {
			parentId: thread ? await readLeafId(unit.database, thread) : null,
			question: { id: payload.messageNodeId, text: payload.text }
		});
		return ok({});
	},
	afterCommit: () => deps.runs.start(payload.runId)
});
