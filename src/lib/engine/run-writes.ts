// What a run writes: its checkpoints, and its end in one transaction. ENGINE WORKER. SPEC.md RUN-08 to RUN-14.
import type { AnswerStatus, AssistantMessagePayload } from '#lib/core/domain/nodes.ts';
import type { JsonValue } from '#lib/core/std/json.ts';
import { newId } from '#lib/platform/ids.ts';
import { activeRunStates, type RunRow, type RunState } from '#lib/storage/rows.ts';
import { appendTables, writeTransaction, type UnitOfWork, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import type { AnswerSoFar, TurnOutcome } from './agent/run-turn.ts';

/**
 * Keeps what has arrived, unless the thread was deleted meanwhile. A run waits for its last checkpoint before it ends, so none
 * comes after the answer's node (D-049). Not strict: the next strict write carries it.
 */
export async function saveCheckpoint(deps: WriteDeps, run: RunRow, answer: AnswerSoFar): Promise<void> {
	await writeTransaction(deps, ['threads', 'inflight'], async (unit) => {
		if (!(await unit.thread(run.threadId))) return;
		unit.put('inflight', {
			threadId: run.threadId,
			runId: run.id,
			turnId: run.turnId,
			nodeId: run.answerNodeId,
			savedAt: unit.nowMs,
			text: answer.text,
			reasoning: answer.reasoning
		});
	});
}

interface RunEnd {
	readonly state: RunState;
	readonly status: AnswerStatus;
	readonly answer: AnswerSoFar;
	readonly usage?: AssistantMessagePayload['usage'];
	readonly stopReason?: string;
	readonly model?: string;
	readonly errorCode?: string;
	readonly errorData?: JsonValue;
}

function endOf(outcome: TurnOutcome): RunEnd {
	switch (outcome.kind) {
		case 'complete':
			return {
				state: 'completed',
				status: 'complete',
				answer: outcome.answer,
				stopReason: outcome.stopReason,
				...(outcome.usage ? { usage: outcome.usage } : {}),
				...(outcome.model ? { model: outcome.model } : {})
			};
		case 'stopped':
			return { state: 'stopped', status: 'stopped', answer: outcome.answer };
		case 'failed': {
			const { code, ...data } = outcome.failure;
			return { state: 'failed', status: 'error', answer: outcome.answer, errorCode: code, errorData: { ...data } };
		}
	}
}

/** Marks that the model has answered. */
export async function markStreaming(deps: WriteDeps, run: RunRow): Promise<void> {
	await writeTransaction(deps, ['runs'], async (unit) => {
		const stored = await unit.database.runs.get(run.id);
		// Compare and set: a run that was ended or deleted meanwhile does not come back to life.
		if (stored?.state === 'preparing') unit.put('runs', { ...stored, state: 'streaming_model', updatedAt: unit.nowMs });
	});
}

/** Writes answer, cursor, statistics and run state, and takes the checkpoint away: all or nothing. A run that has ended already is left alone. */
export async function endRun(deps: WriteDeps, run: RunRow, outcome: TurnOutcome): Promise<void> {
	await writeTransaction(deps, runEndTables, (unit) => writeEnd(unit, run, endOf(outcome)));
}

export const runEndTables = [...appendTables, 'runs', 'inflight'] as const;

/**
 * The end of a run that no engine works at any more: what the checkpoint holds becomes an answer marked as interrupted when the
 * engine died (D-047), as stopped when the person does not want to wait for it.
 */
export async function settleRun(unit: UnitOfWork, run: RunRow, how: 'interrupted' | 'stopped'): Promise<void> {
	const kept = await unit.database.inflight.get(run.threadId);
	const answer = kept?.runId === run.id ? { text: kept.text, reasoning: kept.reasoning } : { text: '', reasoning: '' };
	await writeEnd(unit, run, { state: how, status: how, answer });
}

async function writeEnd(unit: UnitOfWork, run: RunRow, end: RunEnd): Promise<void> {
	const kept = await unit.database.inflight.get(run.threadId);
	if (kept?.runId === run.id) await unit.database.inflight.delete(run.threadId);
	const stored = await unit.database.runs.get(run.id);
	// Deleted with its thread, or ended before: a settled run never changes (D-339).
	if (!stored || !activeRunStates.includes(stored.state)) return;
	unit.put('runs', {
		...stored,
		state: end.state,
		updatedAt: unit.nowMs,
		endedAt: unit.nowMs,
		...(end.usage ? { usage: end.usage } : {}),
		...(end.errorCode === undefined ? {} : { errorCode: end.errorCode }),
		...(end.errorData === undefined ? {} : { errorData: end.errorData })
	});
	const hasArrived = end.answer.text !== '' || end.answer.reasoning !== '';
	if (!hasArrived || !(await unit.thread(run.threadId))) return;
	const payload: AssistantMessagePayload = {
		content: end.answer.text === '' ? [] : [{ type: 'text', text: end.answer.text }],
		model: end.model ?? run.model,
		connectionId: run.connectionId,
		status: end.status,
		turnId: run.turnId,
		durationMs: Math.max(0, unit.nowMs - run.createdAt),
		...(end.answer.reasoning === '' ? {} : { reasoning: end.answer.reasoning }),
		...(end.usage ? { usage: end.usage } : {}),
		...(end.stopReason === undefined ? {} : { stopReason: end.stopReason }),
		...(end.errorCode === undefined ? {} : { errorCode: end.errorCode }),
		...(run.continuesNodeId === undefined ? {} : { continuesNodeId: run.continuesNodeId })
	};
	// In a damaged tree the question may be gone: its answer then stands as a root, and is not lost.
	const parent = await unit.database.nodes.get(run.parentNodeId);
	const isTaken = (await unit.database.nodes.get(run.answerNodeId)) !== undefined;
	const node = await unit.append(run.threadId, {
		id: isTaken ? newId() : run.answerNodeId,
		parentId: parent?.threadId === run.threadId ? run.parentNodeId : null,
		content: { type: 'assistant_message', payload }
	});
	const thread = await unit.thread(run.threadId);
	if (!thread) return;
	const tokens = (end.usage?.inputTokens ?? 0) + (end.usage?.outputTokens ?? 0);
	unit.putThread({
		...thread,
		// Only the branch that is in view moves on; a person who has gone to another one is not pulled back.
		leafId: thread.leafId === run.parentNodeId ? node.id : thread.leafId,
		updatedAt: unit.nowMs,
		stats: { ...thread.stats, totalTokens: thread.stats.totalTokens + tokens, costUsd: thread.stats.costUsd + (end.usage?.costUsd ?? 0) }
	});
}
