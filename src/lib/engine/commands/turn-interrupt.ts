import { err, ok } from '#lib/core/std/result.ts';
import { activeRunStates } from '#lib/storage/rows.ts';
import type { Handler } from '../engine-deps.ts';
import { runEndTables, settleRun } from '../run-writes.ts';

export const handleTurnInterrupt: Handler<'turn.interrupt'> = async (deps, { threadId, runId }) => {
	const stopped = await deps.runs.stop(runId);
	return {
		kind: 'write',
		tables: runEndTables,
		async decide(unit) {
			const run = await unit.database.runs.get(runId);
			if (!run || run.threadId !== threadId) return err({ code: 'run-not-found' });
			// Nobody works at it, and its row says otherwise: it would keep the thread busy for ever.
			const isOrphan = activeRunStates.includes(run.state);
			if (isOrphan) await settleRun(unit, run, 'stopped');
			return ok({ stopped: stopped || isOrphan });
		}
	};
};
