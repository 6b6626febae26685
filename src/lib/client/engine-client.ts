// The tab's end of the engine: starts its worker, sends commands, gives out receipts and events. RUNS IN THE TAB.
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { CommandType, PayloadOf, Receipt, Refusal } from '#lib/core/protocol/commands.ts';
import type { EngineEvent, EngineState } from '#lib/core/protocol/events.ts';
import { PROTOCOL_VERSION, type CommandEnvelope, type TabMessage, type WorkerMessage } from '#lib/core/protocol/messages.ts';
import { err, type Result } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';

/** Longest wait for a receipt; commands that take long by nature are waited for as long as the engine lives. */
const answerLimitMs = 30_000;
const unlimited: ReadonlySet<CommandType> = new Set(['import.file', 'connection.test']);

/** So many workers may die within this time before the person is asked. */
const maxDeaths = 3;
const deathsWithinMs = 60_000;

interface Waiting {
	readonly envelope: CommandEnvelope;
	readonly resolve: (result: Result<unknown, Refusal>) => void;
	readonly timer: ReturnType<typeof setTimeout> | null;
}

export class EngineClient {
	/** A name for this tab's life; with a submission id it names a command for ever. */
	readonly clientId = newId();
	readonly #databaseName: string;
	readonly #createWorker: () => Worker;
	readonly #waiting = new Map<string, Waiting>();
	readonly #listeners = new Set<(event: EngineEvent) => void>();
	#worker: Worker | null = null;
	#lifeLock = '';
	/** Aborted when the worker is ended on purpose. */
	#watching = new AbortController();
	#deathsAtMs: readonly number[] = [];
	#state: EngineState = { kind: 'starting' };

	constructor(options: { readonly databaseName: string; readonly createWorker: () => Worker }) {
		this.#databaseName = options.databaseName;
		this.#createWorker = options.createWorker;
	}

	get state(): EngineState {
		return this.#state;
	}

	/** Starts the worker, or another one in place of a dead one; commands without a receipt are sent again. */
	start(): void {
		this.stop();
		const worker = this.#createWorker();
		this.#worker = worker;
		worker.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => this.#receive(data));
		// A worker that cannot even load, or died of an error of its own: the next one takes over.
		worker.addEventListener('error', () => {
			if (this.#worker === worker) this.#emit({ type: 'engine.state', state: { kind: 'failed', code: 'engine-crashed' } });
		});
		this.#emit({ type: 'engine.state', state: { kind: 'starting' } });
		this.#lifeLock = `bough-life:${newId()}`;
		this.#post({ kind: 'start', version: PROTOCOL_VERSION, databaseName: this.#databaseName, lifeLock: this.#lifeLock });
		for (const { envelope } of this.#waiting.values()) this.#post(envelope);
	}

	/** Ends the worker at once, as a tab that goes away must: in the back/forward cache it would keep the lead. */
	stop(): void {
		this.#watching.abort();
		this.#worker?.terminate();
		this.#worker = null;
		this.#state = { kind: 'starting' };
	}

	/** Sends a command once, under a submission id of its own. Never rejects. */
	send<T extends CommandType>(type: T, payload: PayloadOf<T>): Promise<Receipt<T>> {
		const submissionId = newId();
		const envelope: CommandEnvelope = { kind: 'command', version: PROTOCOL_VERSION, clientId: this.clientId, submissionId, type, payload };
		return new Promise((resolve) => {
			const timer = unlimited.has(type)
				? null
				: setTimeout(() => {
						this.#waiting.delete(submissionId);
						resolve(err({ code: 'engine-no-answer' }));
					}, answerLimitMs);
			// The engine checked the payload against this command's schema and answers with this command's receipt.
			this.#waiting.set(submissionId, { envelope, resolve: resolve as (result: Result<unknown, Refusal>) => void, timer });
			this.#post(envelope);
		});
	}

	/** Asks for the whole of what is being answered in a thread. */
	watch(threadId: ThreadId): void {
		this.#post({ kind: 'watch', threadId });
	}

	/** Calls `listener` with every event until the returned function is called. */
	listen(listener: (event: EngineEvent) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	#post(message: TabMessage): void {
		this.#worker?.postMessage(message);
	}

	#receive(message: WorkerMessage): void {
		if (message.kind === 'event') return this.#emit(message.event);
		if (message.kind === 'living') return this.#watchLife(this.#lifeLock);
		const waiting = this.#waiting.get(message.submissionId);
		if (!waiting) return;
		this.#waiting.delete(message.submissionId);
		if (waiting.timer !== null) clearTimeout(waiting.timer);
		waiting.resolve(message.result);
	}

	/** Waits for the lock that the worker holds while it lives: it may end without a word, and then another one is started. */
	#watchLife(lifeLock: string): void {
		this.#watching = new AbortController();
		const { signal } = this.#watching;
		navigator.locks
			.request(lifeLock, { signal }, () => {
				if (!signal.aborted) this.#replaceDead();
			})
			.catch(() => undefined); // only ever aborted, by `stop`
	}

	#replaceDead(): void {
		const nowMs = performance.now();
		this.#deathsAtMs = [...this.#deathsAtMs.filter((atMs) => nowMs - atMs < deathsWithinMs), nowMs];
		if (this.#deathsAtMs.length <= maxDeaths) return this.start();
		// Something ends every one of them: the person decides.
		this.stop();
		this.#emit({ type: 'engine.state', state: { kind: 'failed', code: 'engine-crashed' } });
	}

	#emit(event: EngineEvent): void {
		if (event.type === 'engine.state') this.#state = event.state;
		for (const listener of this.#listeners) listener(event);
	}
}
