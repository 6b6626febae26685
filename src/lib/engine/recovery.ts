// What a new leader does before it takes commands: ends or takes up again what the last one left (D-077, E-11), and throws
// away receipts that are too old. ENGINE WORKER. SPEC.md RUN-13, RUN-14, ENG-07.
import type { RunId } from '#lib/core/domain/ids.ts';
import { writeTransaction, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { runEndTables, settleRun } from './run-writes.ts';

/** A run that no engine could begin this often is given up: something in it brings the engine down. */
const maxAttempts = 3;

const maxReceipts = 10_000;

/** Answers the runs that had not reached a model yet: to be started. All others have ended, with what had arrived of their answers. */
export async function recoverRuns(deps: WriteDeps): Promise<readonly RunId[]> {
	return writeTransaction(deps, runEndTables, async (unit) => {
		const { runs } = unit.database;
		const toStart: RunId[] = [];
		for (const run of await runs.where('state').equals('preparing').toArray()) {
			if (run.attempts + 1 >= maxAttempts) await settleRun(unit, run, 'interrupted');
			else {
				await runs.put({ ...run, attempts: run.attempts + 1, updatedAt: unit.nowMs });
				toStart.push(run.id);
			}
		}
		for (const run of await runs.where('state').equals('streaming_model').toArray()) await settleRun(unit, run, 'interrupted');
		// A checkpoint without a run at work: its answer is a node, or its thread is gone.
		for (const kept of await unit.database.inflight.toArray()) {
			if (!toStart.includes(kept.runId)) await unit.database.inflight.delete(kept.threadId);
		}
		return toStart;
	});
}

/** Receipts answer for seven days and ten thousand commands (E-08). */
export async function pruneReceipts(deps: WriteDeps): Promise<void> {
	await writeTransaction(deps, ['commandReceipts'], async (unit) => {
		const receipts = unit.database.commandReceipts;
		await receipts.where('expiresAt').below(unit.nowMs).delete();
		const surplus = (await receipts.count()) - maxReceipts;
		if (surplus > 0) await receipts.bulkDelete(await receipts.orderBy('createdAt').limit(surplus).primaryKeys());
	});
}
