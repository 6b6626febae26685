import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { beginTurn, findNode, turnRefusal, turnTables } from '../turns.ts';

export const handleTurnResume: Handler<'turn.resume'> = (deps, payload, identity) => ({
	kind: 'write',
	tables: turnTables,
	async decide(unit) {
		const refusal = await turnRefusal(unit, payload);
		if (refusal) return err({ code: refusal });
		const node = await findNode(unit, payload.threadId, payload.nodeId);
		if (!node) return err({ code: 'node-not-found' });
		if (node.type !== 'assistant_message' || node.payload.status === 'complete') return err({ code: 'answer-not-cut-off' });
		await beginTurn(unit, identity, payload, { parentId: node.id, continuesNodeId: node.id, anchorNodeId: node.id });
		return ok({});
	},
	afterCommit: () => deps.runs.start(payload.runId)
});
