import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleThreadCreate: Handler<'thread.create'> = (_deps, { threadId }) => ({
	kind: 'write',
	tables: ['threads'],
	async decide(unit) {
		if (await unit.thread(threadId)) return err({ code: 'thread-exists' });
		unit.putThread({
			id: threadId,
			title: '',
			titleSource: 'none',
			createdAt: unit.nowMs,
			updatedAt: unit.nowMs,
			leafId: null,
			lastSeq: 0,
			folderId: null,
			tags: [],
			pinned: 0,
			archived: 0,
			stats: { turns: 0, totalTokens: 0, costUsd: 0 },
			scopeOrigins: [],
			stamps: {}
		});
		return ok({});
	}
});
