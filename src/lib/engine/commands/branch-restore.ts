import { countVisible } from '#lib/core/domain/branches.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { readNewestVisibleId } from '#lib/storage/queries/leaf.ts';
import { branchTables, restoreNodes } from '../branches.ts';
import type { Handler } from '../engine-deps.ts';
import { findNode, threadAtRest } from '../turns.ts';

export const handleBranchRestore: Handler<'branch.restore'> = (_deps, { threadId, deletion, leafId }) => ({
	kind: 'write',
	tables: branchTables,
	async decide(unit) {
		const found = await threadAtRest(unit, threadId);
		if (!found.ok) return found;
		const thread = found.value;
		const tombstones = await unit.database.nodes
			.where('threadId')
			.equals(threadId)
			.filter((node) => node.deleted === true && node.deletedOrd === deletion)
			.toArray();
		if (tombstones.length === 0) return err({ code: 'deletion-not-found' });
		await restoreNodes(unit, tombstones);
		const wanted = leafId !== undefined && (await findNode(unit, threadId, leafId)) ? leafId : thread.leafId;
		// Nothing was left of the thread: what came back is in view again.
		unit.putThread({ ...thread, leafId: wanted ?? (await readNewestVisibleId(unit.database, threadId)) });
		return ok({ count: countVisible(tombstones.map(({ type }) => ({ type }))) });
	}
});
