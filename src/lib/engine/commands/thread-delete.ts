import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

/** Every table with rows of one thread, by its index. The receipt is not among them: it must answer a repeated command (P-089). */
export const tablesOfThread = [
	'nodes',
	'forkChoices',
	'attachments',
	'runs',
	'inflight',
	'queue',
	'approvals',
	'interactions',
	'plans',
	'artifacts',
	'reviewSnapshots',
	'notifications',
	'importOrigins'
] as const;

export const handleThreadDelete: Handler<'thread.delete'> = async (deps, { threadId }) => {
	await deps.runs.stopThread(threadId);
	return {
		kind: 'write',
		tables: ['threads', 'tombstones', ...tablesOfThread],
		async decide(unit) {
			const thread = await unit.thread(threadId);
			if (!thread) return err({ code: 'thread-not-found' });
			for (const table of tablesOfThread) await unit.database.table(table).where('threadId').equals(threadId).delete();
			await unit.database.threads.delete(threadId);
			await unit.database
				.table('tombstones')
				.put({ id: threadId, deletedAt: unit.nowMs, ord: unit.stamp(...Object.values(thread.stamps)) });
			return ok({});
		},
		// A turn may have begun between the stop and the deletion.
		afterCommit: () => void deps.runs.stopThread(threadId)
	};
};
