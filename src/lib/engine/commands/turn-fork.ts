import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { beginTurn, findNode, logicalParentId, turnRefusal, turnTables } from '../turns.ts';

export const handleTurnFork: Handler<'turn.fork'> = (deps, payload, identity) => ({
	kind: 'write',
	tables: turnTables,
	async decide(unit) {
		const refusal = await turnRefusal(unit, payload);
		if (refusal) return err({ code: refusal });
		const node = await findNode(unit, payload.threadId, payload.nodeId);
		if (!node) return err({ code: 'node-not-found' });
		if (payload.kind === 'edit') {
			if (node.type !== 'user_message') return err({ code: 'node-not-a-question' });
			await beginTurn(unit, identity, payload, {
				parentId: await logicalParentId(unit, node),
				question: { id: payload.messageNodeId, text: payload.text }
			});
			return ok({});
		}
		// A question whose answer never came is answered again under itself.
		const questionId =
			node.type === 'user_message' ? node.id : node.type === 'assistant_message' ? await logicalParentId(unit, node) : null;
		if (questionId === null) return err({ code: 'node-not-an-answer' });
		await beginTurn(unit, identity, payload, { parentId: questionId, anchorNodeId: questionId });
		return ok({});
	},
	afterCommit: () => deps.runs.start(payload.runId)
});
