import type { SyncedThreadField, Thread } from '#lib/core/domain/threads.ts';
import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleThreadUpdate: Handler<'thread.update'> = (_deps, { threadId, pinned, archived, tags, folderId }) => ({
	kind: 'write',
	tables: ['threads'],
	async decide(unit) {
		const thread = await unit.thread(threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		const fields: Partial<Pick<Thread, SyncedThreadField>> = {
			...(pinned === undefined ? {} : { pinned: pinned ? 1 : 0 }),
			...(archived === undefined ? {} : { archived: archived ? 1 : 0 }),
			...(tags === undefined ? {} : { tags: [...new Set(tags)] }),
			...(folderId === undefined ? {} : { folderId })
		};
		unit.setSynced(thread, fields);
		return ok({});
	}
});
