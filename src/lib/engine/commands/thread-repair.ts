import { damageOf, type Damage } from '#lib/core/domain/damage.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { ok } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { branchTables, readTree } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { threadAtRest } from '../turns.ts';

const noticeCode = 'tree-repaired';

export const handleThreadRepair: Handler<'thread.repair'> = (_deps, { threadId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const thread = found.value;
		const tree = await readTree(unit, threadId);
		const damage = damageOf(tree, thread);
		const isBehind = damage.lastSeq > thread.lastSeq;
		const isNew = !wasTold(tree.nodesById.values(), damage);
		if (!damage.isCursorLost && !isBehind && !isNew) return ok({ isRepaired: false });
		unit.putThread({ ...thread, leafId: damage.leafId, lastSeq: damage.lastSeq });
		const { cutOff, doubleSeqs, isCursorLost } = damage;
		const notice = await unit.append(threadId, {
			id: newId(),
			parentId: damage.leafId,
			content: { type: 'system_notice', payload: { code: noticeCode, data: { cutOff, doubleSeqs, isCursorLost } } }
		});
		const repaired = await unit.thread(threadId);
		if (repaired) unit.putThread({ ...repaired, leafId: notice.id });
		return ok({ isRepaired: true });
	}
});

/** What cannot be mended, only kept apart, is told once and not at every opening. */
function wasTold(nodes: Iterable<TreeNode>, { cutOff, doubleSeqs }: Damage): boolean {
	if (cutOff === 0 && doubleSeqs === 0) return true;
	for (const node of nodes) {
		if (node.type !== 'system_notice' || node.payload.code !== noticeCode) continue;
		const told = node.payload.data;
		if (typeof told === 'object' && told !== null && 'cutOff' in told && 'doubleSeqs' in told)
			if (Number(told['cutOff']) >= cutOff && Number(told['doubleSeqs']) >= doubleSeqs) return true;
	}
	return false;
}
