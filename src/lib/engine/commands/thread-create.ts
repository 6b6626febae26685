import { newThread } from '#lib/core/domain/threads.ts';
import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleThreadCreate: Handler<'thread.create'> = (_deps, { threadId }) => ({
	kind: 'write',
	tables: ['threads'],
	async decide(unit) {
		if (await unit.thread(threadId)) return err({ code: 'thread-exists' });
		unit.putThread(newThread(threadId, unit.nowMs));
		return ok({});
	}
});
