import { copiesOf, countVisible, hasLooseResult, openCalls } from '#lib/core/domain/branches.ts';
import { labelsByTarget } from '#lib/core/domain/labels.ts';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { pathTo } from '#lib/core/domain/tree.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { branchTables, isInsideToolCall, readTree } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, threadAtRest } from '../turns.ts';

export const handleNodeGraft: Handler<'node.graft'> = (_deps, { threadId, fromId, toId, targetId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const thread = found.value;
		const target = await findNode(unit, threadId, targetId);
		if (!target || !isVisible(target) || !(await findNode(unit, threadId, fromId)) || !(await findNode(unit, threadId, toId)))
			return err({ code: 'node-not-found' });
		const tree = await readTree(unit, threadId);
		const path = pathTo(tree, toId);
		const from = path.findIndex((node) => node.id === fromId);
		if (from < 0) return err({ code: 'not-one-branch' });
		const stretch = path.slice(withItsContext(path, from));
		if (openCalls(stretch).size > 0 || hasLooseResult(stretch) || (await isInsideToolCall(unit, target)))
			return err({ code: 'node-inside-tool-call' });
		const copies = copiesOf(stretch, { under: targetId, newId, labels: labelsByTarget(tree.nodesById.values()) });
		const [first] = copies;
		const end = copies.findLast(({ content }) => isVisible(content));
		if (!first || !end) return err({ code: 'node-not-found' });
		await unit.appendAll(threadId, copies);
		unit.put('forkChoices', { threadId, parentId: targetId, childId: first.id });
		const grown = (await unit.thread(threadId)) ?? thread;
		unit.putThread({ ...grown, leafId: end.id, updatedAt: unit.nowMs });
		return ok({ leafId: end.id, firstId: first.id, count: countVisible(copies.map(({ content }) => content)) });
	}
});

/** The environment of a question stands before it, unseen: it is copied along. */
function withItsContext(path: readonly TreeNode[], from: number): number {
	let first = from;
	while (first > 0 && path[first - 1]?.type === 'turn_context') first--;
	return first;
}
