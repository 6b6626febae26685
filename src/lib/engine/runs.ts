// The runs at work: starts them, streams them to the tabs, keeps checkpoints, writes how they ended. ENGINE WORKER.
// SPEC.md RUN-07 to RUN-12, RUN-15 to RUN-17.
import { buildSessionContext, continueRequest } from '#lib/core/context/build-session-context.ts';
import { guideConnection, guideConnectionId } from '#lib/core/context/guide-connection.ts';
import { ModelError, type Connection, type ModelProvider, type ModelRequest } from '#lib/core/context/model.ts';
import type { RunId, ThreadId } from '#lib/core/domain/ids.ts';
import { readable } from '#lib/core/domain/nodes.ts';
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import { readPathWindow } from '#lib/storage/queries/path-window.ts';
import { isStorageError, storageFailureOf } from '#lib/storage/open-database.ts';
import type { RunRow } from '#lib/storage/rows.ts';
import { FencedError, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { createDeltaBuffer, type DeltaBuffer } from './agent/delta-buffer.ts';
import { runTurn, type AnswerSoFar, type EngineFailure, type TurnOutcome } from './agent/run-turn.ts';
import { endRun, markStreaming, saveCheckpoint } from './run-writes.ts';
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
	/** Its thread is being deleted: an end that cannot be written is given up. */
	isDoomed: boolean;
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
	/** Stops whatever runs in the thread before it is deleted; an end that cannot be written is not waited for. */
	stopThread(threadId: ThreadId): Promise<void>;
	/** Tells the tabs the whole answer so far. */
	tellSnapshot(threadId: ThreadId): void;
	/** Breaks everything off without writing: another engine leads. */
	abandon(): void;
}

export function createRuns(deps: RunsDeps): Runs {
	const active = new Map<RunId, ActiveRun>();
	/** Runs whose row is being read: a stop that comes now waits and then stops them. */
	const starting = new Map<RunId, Promise<void>>();
	let isAbandoned = false;
	let isInTrouble = false;

	/** What the tabs show while nothing can be written; null once something could. */
	function tellTrouble(failure: { readonly code: string; readonly detail?: string } | null): void {
		if (failure) deps.emit({ type: 'engine.state', state: { kind: 'failed', ...failure } });
		else if (isInTrouble) deps.emit({ type: 'engine.state', state: { kind: 'leading', epoch: deps.epoch } });
		isInTrouble = failure !== null;
	}

	/** A checkpoint that cannot be kept is no reason to break off an answer: the text is here still. */
	async function checkpoint(run: RunRow, soFar: AnswerSoFar): Promise<void> {
		try {
			await saveCheckpoint(deps, run, soFar);
			tellTrouble(null);
		} catch (error) {
			if (error instanceof FencedError) throw error;
			if (!isAbandoned) tellTrouble(failureOf(error));
		}
	}

	async function work(run: RunRow, { signal }: AbortController, deltas: DeltaBuffer): Promise<void> {
		let outcome: TurnOutcome;
		try {
			outcome = await answer(deps, run, { signal, deltas, checkpoint: (soFar) => checkpoint(run, soFar) });
		} catch (error) {
			if (error instanceof FencedError) return deps.onFenced();
			if (isAbandoned) return;
			// A bug, or a database that stopped: the text that came is kept, and the run says so.
			outcome = { kind: 'failed', answer: deltas.soFar(), failure: failureOf(error) };
		}
		deltas.flush();
		await writeEnd(run, outcome);
	}

	async function writeEnd(run: RunRow, outcome: TurnOutcome): Promise<void> {
		while (!isAbandoned) {
			try {
				await endRun(deps, run, outcome);
				return tellTrouble(null);
			} catch (error) {
				if (error instanceof FencedError) return deps.onFenced();
				if (isAbandoned) return;
				const failure = failureOf(error);
				tellTrouble(failure);
				// A bug would come again; the run is settled when the person stops it, or by the next leader.
				if (failure.code === 'engine-failed' || active.get(run.id)?.isDoomed) return;
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
			schedule: (flush) => void deps.clock.sleep(16).then(() => isAbandoned || flush())
		});
		const ended = work(run, controller, deltas).finally(() => {
			active.delete(runId);
			if (!isAbandoned) deps.emit({ type: 'run.ended', threadId, runId, nodeId });
		});
		active.set(runId, { run, controller, deltas, ended, isDoomed: false });
	}

	async function readAndBegin(runId: RunId): Promise<void> {
		try {
			const run = await deps.database.runs.get(runId);
			if (run?.state === 'preparing' && !active.has(runId) && !isAbandoned) begin(run);
		} catch (error) {
			// The row still says `preparing`: the person can stop it, and the next leader begins it.
			if (!isAbandoned) tellTrouble(failureOf(error));
		} finally {
			starting.delete(runId);
		}
	}

	async function stop(runId: RunId): Promise<boolean> {
		await starting.get(runId);
		const at = active.get(runId);
		if (!at) return false;
		at.controller.abort();
		await at.ended;
		return true;
	}

	return {
		start(runId) {
			if (!starting.has(runId)) starting.set(runId, readAndBegin(runId));
		},
		stop,
		async stopThread(threadId) {
			await Promise.all(starting.values());
			const doomed = [...active.values()].filter(({ run }) => run.threadId === threadId);
			for (const at of doomed) at.isDoomed = true;
			for (const { run } of doomed) await stop(run.id);
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

/** What a throw of the engine itself is called in a run. */
function failureOf(error: unknown): EngineFailure {
	if (isStorageError(error)) return storageFailureOf(error);
	console.error(error);
	return { code: 'engine-failed', detail: error instanceof Error ? error.message.slice(0, 300) : 'unknown' };
}

interface AnswerOptions {
	readonly signal: AbortSignal;
	readonly deltas: DeltaBuffer;
	readonly checkpoint: (soFar: AnswerSoFar) => Promise<void>;
}

async function answer(deps: RunsDeps, run: RunRow, { signal, deltas, checkpoint }: AnswerOptions): Promise<TurnOutcome> {
	const nothing: AnswerSoFar = { text: '', reasoning: '' };
	const connection = run.connectionId === guideConnectionId ? guideConnection : await deps.database.providers.get(run.connectionId);
	if (!connection) return { kind: 'failed', answer: nothing, failure: { code: 'connection-not-found' } };
	const request = await requestFor(deps, run);
	// Stopped before it began: nobody is asked.
	if (signal.aborted) return { kind: 'stopped', answer: nothing };
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
		checkpoint,
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
	const { messages } = buildSessionContext(nodes.map(readable));
	// An answer that was cut off while it was still thinking has no words to go on from: the question is simply asked again.
	const goesOn = run.continuesNodeId !== undefined && messages.at(-1)?.role === 'assistant';
	return {
		model: run.model,
		messages: goesOn ? [...messages, { role: 'user', content: [{ type: 'text', text: continueRequest }] }] : messages,
		parameters: {},
		locale: run.locale
	};
}

function originOf(baseUrl: string): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
}
