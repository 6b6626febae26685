import { normaliseTitle } from '#lib/core/domain/threads.ts';
import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleThreadRename: Handler<'thread.rename'> = (_deps, payload) => ({
	kind: 'write',
	tables: ['threads'],
	async decide(unit) {
		const thread = await unit.thread(payload.threadId);
		if (!thread) return err({ code: 'thread-not-found' });
		const title = normaliseTitle(payload.title);
		if (title === '') return err({ code: 'title-empty' });
		unit.setSynced({ ...thread, titleSource: 'person' }, { title });
		return ok({ title });
	}
});
