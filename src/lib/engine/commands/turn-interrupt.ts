import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleTurnInterrupt: Handler<'turn.interrupt'> = async (deps, { threadId, runId }) => {
	const stopped = await deps.runs.stop(runId);
	return {
		kind: 'write',
		tables: ['runs'],
		async decide(unit) {
			const run = await unit.database.runs.get(runId);
			if (!run || run.threadId !== threadId) return err({ code: 'run-not-found' });
			return ok({ stopped });
		}
	};
};
