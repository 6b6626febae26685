// The runs at work: starts them, streams them to the tabs, keeps checkpoints, writes how they ended. ENGINE WORKER.
// SPEC.md RUN-07 to RUN-14.
import { buildSessionContext, continueRequest } from '#lib/core/context/build-session-context.ts';
import { guideConnection, guideConnectionId } from '#lib/core/context/guide-connection.ts';
import { ModelError, type Connection, type ModelProvider, type ModelRequest } from '#lib/core/context/model.ts';
import type { RunId, ThreadId } from '#lib/core/domain/ids.ts';
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import { readPathWindow } from '#lib/storage/queries/path-window.ts';
import { storageFailureOf } from '#lib/storage/open-database.ts';
import type { RunRow } from '#lib/storage/rows.ts';
import { FencedError, writeTransaction, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { createDeltaBuffer, type DeltaBuffer } from './agent/delta-buffer.ts';
import { runTurn, type AnswerSoFar, type TurnOutcome } from './agent/run-turn.ts';
import { endRun, saveCheckpoint } from './run-writes.ts';
import { connectionSecretId, type SecretStore } from './secrets/secret-store.ts';

/** At most one checkpoint in this time (D-043). */
export const checkpointEveryMs = 1_500;

/** When the end of an answer cannot be written (the device is full), it is tried again this often; the text stays in memory. */
const retryEndEveryMs = 5_000;

interface ActiveRun {
	readonly run: RunRow;
	readonly controller: AbortController;
	readonly deltas: DeltaBuffer;
	readonly ended: Promise<void>;
}

export interface RunsDeps extends WriteDeps {
	readonly emit: (event: EngineEvent) => void;
	readonly secrets: SecretStore;
	readonly createProvider: (connection: Connection, getKey: () => Promise<string | null>) => ModelProvider;
	/** This engine leads no longer. */
	readonly onFenced: () => void;
}

export interface Runs {
	/** Begins a run whose row says `preparing`. Returns at once. */
	start(runId: RunId): void;
	/** Stops a run and resolves once its end is durable. False when it is not at work here. */
	stop(runId: RunId): Promise<boolean>;
	/** Stops whatever runs in the thread, as `stop` does. */
	stopThread(threadId: ThreadId): Promise<void>;
	/** Tells the tabs the whole answer so far. */
	tellSnapshot(threadId: ThreadId): void;
	/** Breaks everything off without writing: another engine leads. */
	abandon(): void;
}

export function createRuns(deps: RunsDeps): Runs {
	const active = new Map<RunId, ActiveRun>();
	let isAbandoned = false;

	async function work(run: RunRow, controller: AbortController, deltas: DeltaBuffer): Promise<void> {
		let outcome: TurnOutcome;
		try {
			outcome = await answer(deps, run, controller.signal, deltas);
		} catch (error) {
			if (error instanceof FencedError) return deps.onFenced();
			if (isAbandoned) return;
			// A bug, or a database that stopped: the text that came is kept, and the run says so.
			console.error(error);
			outcome = {
				kind: 'failed',
				answer: deltas.soFar(),
				failure: { code: 'model-request-refused', detail: storageFailureOf(error).detail }
			};
		}
		deltas.flush();
		while (!isAbandoned) {
			try {
				await endRun(deps, run, outcome);
				break;
			} catch (error) {
				if (error instanceof FencedError) return deps.onFenced();
				const failure = storageFailureOf(error);
				deps.emit({ type: 'engine.state', state: { kind: 'failed', code: failure.code, detail: failure.detail } });
				await deps.clock.sleep(retryEndEveryMs);
			}
		}
	}

	function begin(run: RunRow): void {
		const controller = new AbortController();
		const { threadId, id: runId, answerNodeId: nodeId } = run;
		const deltas = createDeltaBuffer({
			emitText: (at, text) => deps.emit({ type: 'text.delta', threadId, runId, nodeId, at, text }),
			emitReasoning: (at, text) => deps.emit({ type: 'reasoning.delta', threadId, runId, nodeId, at, text }),
			schedule: (flush) => void deps.clock.sleep(16).then(flush)
		});
		const ended = work(run, controller, deltas).finally(() => {
			active.delete(runId);
			if (!isAbandoned) deps.emit({ type: 'run.ended', threadId, runId, nodeId });
		});
		active.set(runId, { run, controller, deltas, ended });
	}

	async function stop(runId: RunId): Promise<boolean> {
		const at = active.get(runId);
		if (!at) return false;
		at.controller.abort();
		await at.ended;
		return true;
	}

	return {
		start(runId) {
			void deps.database.runs.get(runId).then((run) => {
				if (run?.state === 'preparing' && !active.has(runId) && !isAbandoned) begin(run);
			});
		},
		stop,
		async stopThread(threadId) {
			for (const { run } of [...active.values()]) if (run.threadId === threadId) await stop(run.id);
		},
		tellSnapshot(threadId) {
			for (const { run, deltas } of active.values()) {
				if (run.threadId !== threadId) continue;
				deltas.flush();
				deps.emit({ type: 'text.snapshot', threadId, runId: run.id, nodeId: run.answerNodeId, ...deltas.soFar() });
			}
		},
		abandon() {
			isAbandoned = true;
			for (const { controller } of active.values()) controller.abort();
		}
	};
}

async function answer(deps: RunsDeps, run: RunRow, signal: AbortSignal, deltas: DeltaBuffer): Promise<TurnOutcome> {
	const nothing: AnswerSoFar = { text: '', reasoning: '' };
	const connection = run.connectionId === guideConnectionId ? guideConnection : await deps.database.providers.get(run.connectionId);
	if (!connection) return { kind: 'failed', answer: nothing, failure: { code: 'model-not-found' } };
	const request = await requestFor(deps, run);
	const provider = deps.createProvider(connection, () =>
		deps.secrets.reveal(connectionSecretId(connection.id), originOf(connection.baseUrl))
	);
	return runTurn({
		stream: onlyModelErrors(provider.stream(request, signal), signal),
		signal,
		monotonicMs: () => deps.clock.monotonicMs(),
		onStart: () => markStreaming(deps, run),
		onText: (_at, text) => deltas.addText(text),
		onReasoning: (_at, text) => deltas.addReasoning(text),
		checkpoint: (soFar) => saveCheckpoint(deps, run, soFar),
		checkpointEveryMs
	});
}

/** The port promises ModelErrors only; an adapter's bug must not leave a run without an end. */
async function* onlyModelErrors<T>(stream: AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
	try {
		yield* stream;
	} catch (error) {
		if (error instanceof ModelError) throw error;
		if (signal.aborted) throw new ModelError({ code: 'model-aborted' });
		console.error(error);
		throw new ModelError({ code: 'model-stream-error', detail: error instanceof Error ? error.message.slice(0, 500) : 'unknown' });
	}
}

async function requestFor(deps: RunsDeps, run: RunRow): Promise<ModelRequest> {
	const { nodes } = await readPathWindow(deps.database, run.threadId, run.parentNodeId, Number.MAX_SAFE_INTEGER);
	const { messages } = buildSessionContext(nodes);
	return {
		model: run.model,
		messages:
			run.continuesNodeId === undefined ? messages : [...messages, { role: 'user', content: [{ type: 'text', text: continueRequest }] }],
		parameters: {},
		locale: run.locale
	};
}

async function markStreaming(deps: RunsDeps, run: RunRow): Promise<void> {
	await writeTransaction(deps, ['runs'], async (unit) => {
		await unit.database.runs.update(run.id, { state: 'streaming_model', updatedAt: unit.nowMs });
	});
}

function originOf(baseUrl: string): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
}
