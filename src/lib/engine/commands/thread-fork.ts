import { branchOf, copiesOf, countVisible } from '#lib/core/domain/branches.ts';
import { labelsByTarget } from '#lib/core/domain/labels.ts';
import { isVisible } from '#lib/core/domain/nodes.ts';
import { newThread, normaliseTitle } from '#lib/core/domain/threads.ts';
import { deepestDescendant, pathTo } from '#lib/core/domain/tree.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { branchTables, isInsideToolCall, readTree } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode } from '../turns.ts';

export const handleThreadFork: Handler<'thread.fork'> = (_deps, { threadId, nodeId, newThreadId, scope, title }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		if (await unit.thread(newThreadId)) return err({ code: 'thread-exists' });
		const node = await findNode(unit, threadId, nodeId);
		if (!node || !isVisible(node)) return err({ code: 'node-not-found' });
		if (await isInsideToolCall(unit, node)) return err({ code: 'node-inside-tool-call' });
		const tree = await readTree(unit, threadId);
		const below = scope === 'below' ? branchOf(tree, nodeId).slice(1) : [];
		const copies = copiesOf([...pathTo(tree, nodeId), ...below], {
			under: null,
			newId,
			labels: labelsByTarget(tree.nodesById.values())
		});
		const copyIds = new Map(copies.filter(({ content }) => content.type !== 'label').map((copy) => [copy.copiedFrom.nodeId, copy.id]));
		// The branch in view stays in view, when it comes along.
		const inView = thread.leafId !== null && below.some((each) => each.id === thread.leafId) ? thread.leafId : null;
		const leafId = copyIds.get(scope === 'path' ? nodeId : (inView ?? deepestDescendant(tree, nodeId, new Map())));
		if (leafId === undefined) return err({ code: 'node-not-found' });
		unit.putThread(
			newThread(newThreadId, unit.nowMs, {
				title: normaliseTitle(title),
				titleSource: 'first-line',
				leafId,
				parentThreadId: threadId,
				stats: { turns: copies.filter(({ content }) => content.type === 'user_message').length, totalTokens: 0, costUsd: 0 }
			})
		);
		await unit.appendAll(newThreadId, copies);
		return ok({ leafId, count: countVisible(copies.map(({ content }) => content)) });
	}
});
