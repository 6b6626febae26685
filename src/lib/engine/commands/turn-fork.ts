import type { NodeOf, TreeNode } from '#lib/core/domain/nodes.ts';
import { err, ok } from '#lib/core/std/result.ts';
import type { UnitOfWork } from '#lib/storage/writes/write-transaction.ts';
import type { Handler } from '../engine-deps.ts';
import { beginTurn, findNode, logicalParent, turnRefusal, turnTables } from '../turns.ts';

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
				parentId: (await logicalParent(unit, node))?.id ?? null,
				question: { id: payload.messageNodeId, text: payload.text }
			});
			return ok({});
		}
		const question = await questionOf(unit, node);
		if (!question) return err({ code: 'node-not-an-answer' });
		await beginTurn(unit, identity, payload, { parentId: question.id, anchorNodeId: question.id });
		return ok({});
	},
	afterCommit: () => deps.runs.start(payload.runId)
});

/** What is answered once more: a question whose answer never came itself, else what stands before the first piece of the answer. */
async function questionOf(unit: UnitOfWork, node: TreeNode): Promise<TreeNode | null> {
	if (node.type === 'user_message') return node;
	if (node.type !== 'assistant_message') return null;
	let first: NodeOf<'assistant_message'> = node;
	const seen = new Set([first.id]);
	for (let id = first.payload.continuesNodeId; id !== undefined && !seen.has(id); id = first.payload.continuesNodeId) {
		seen.add(id);
		const earlier = await findNode(unit, node.threadId, id);
		if (earlier?.type !== 'assistant_message') break;
		first = earlier;
	}
	return logicalParent(unit, first);
}
