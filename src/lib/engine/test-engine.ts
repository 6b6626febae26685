// An engine over a database in memory, with a model that says what a test lets it say.
import { IDBFactory } from 'fake-indexeddb';
import { ModelError, type Connection, type ModelEvent, type ModelFailure, type ModelRequest } from '#lib/core/context/model.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { CommandType, PayloadOf, Receipt } from '#lib/core/protocol/commands.ts';
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import { PROTOCOL_VERSION, type CommandEnvelope, type ReceiptEnvelope } from '#lib/core/protocol/messages.ts';
import { newId } from '#lib/platform/ids.ts';
import type { BoughDatabase } from '#lib/storage/database.ts';
import { createSteppedClock, setupDatabase, type SteppedClock } from '#lib/storage/test-database.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { createEngine } from './create-engine.ts';
import type { EngineDeps } from './engine-deps.ts';
import { createImports } from './imports.ts';
import { createRuns } from './runs.ts';
import { createSecretStore } from './secrets/secret-store.ts';

/** One call of the model: what was asked, and the way to answer it piece by piece. */
export interface ModelCall {
	readonly request: ModelRequest;
	readonly key: string | null;
	say(...events: ModelEvent[]): void;
	fail(failure: ModelFailure): void;
	/** As an adapter with a bug would. */
	crash(error: Error): void;
}

export interface TestModel {
	/** Resolves with the next call that nobody has taken yet. */
	nextCall(): Promise<ModelCall>;
	readonly calls: readonly ModelCall[];
}

export const started: ModelEvent = { type: 'start' };
export const said = (text: string): ModelEvent => ({ type: 'text', text });
export const ended: ModelEvent = {
	type: 'end',
	stopReason: 'stop',
	usage: { inputTokens: 3, outputTokens: 4, costUsd: 0.5 },
	model: 'real-model'
};

function createTestModel() {
	const calls: ModelCall[] = [];
	const waiting: ((call: ModelCall) => void)[] = [];
	let taken = 0;
	async function* stream(request: ModelRequest, signal: AbortSignal, key: string | null): AsyncGenerator<ModelEvent> {
		const queue: ({ readonly event: ModelEvent } | { readonly error: Error })[] = [];
		let wake = () => {};
		const push = (item: (typeof queue)[number]) => {
			queue.push(item);
			wake();
		};
		const call: ModelCall = {
			request,
			key,
			say: (...events) => events.forEach((event) => push({ event })),
			fail: (failure) => push({ error: new ModelError(failure) }),
			crash: (error) => push({ error })
		};
		calls.push(call);
		const next = waiting.shift();
		if (next) {
			taken++;
			next(call);
		}
		if (signal.aborted) throw new ModelError({ code: 'model-aborted' });
		signal.addEventListener('abort', () => push({ error: new ModelError({ code: 'model-aborted' }) }));
		for (;;) {
			const item = queue.shift();
			if (!item) await new Promise<void>((resolve) => (wake = resolve));
			else if ('error' in item) throw item.error;
			else yield item.event;
		}
	}
	const model: TestModel = {
		calls,
		nextCall: () =>
			new Promise((resolve) => {
				const call = calls[taken];
				if (call) {
					taken++;
					resolve(call);
				} else waiting.push(resolve);
			})
	};
	return { model, stream };
}

export interface TestEngine {
	readonly database: BoughDatabase;
	readonly clock: SteppedClock;
	readonly deps: EngineDeps;
	readonly model: TestModel;
	readonly events: readonly EngineEvent[];
	/** How often the engine found out that it leads no longer. */
	readonly fenced: () => number;
	readonly handle: (envelope: CommandEnvelope) => Promise<ReceiptEnvelope | null>;
	send<T extends CommandType>(type: T, payload: PayloadOf<T>, submissionId?: string): Promise<Receipt<T>>;
	/** Resolves when the run is over and its end durable. */
	runEnded(runId: string): Promise<void>;
	nodes(threadId: string): Promise<TreeNode[]>;
}

export const clientId = '01900000-0000-7000-8000-00000000c11e';

export interface SetupOptions {
	readonly factory?: IDBFactory;
	readonly name?: string;
	readonly clock?: SteppedClock;
	readonly change?: (deps: EngineDeps) => EngineDeps;
}

/** Several engines over one `factory` and `name` are leaders that follow each other. */
export async function setupEngine(options: SetupOptions = {}): Promise<TestEngine> {
	const clock = options.clock ?? createSteppedClock();
	const database = await setupDatabase(options.factory ?? new IDBFactory(), options.name ?? `engine-${newId()}`);
	const epoch = await beginEpoch(database, () => ({ deviceId: '00000000000000aa', epoch: 0 }));
	const events: EngineEvent[] = [];
	const endWaiters = new Map<string, () => void>();
	const endedRuns = new Set<string>();
	const emit = (event: EngineEvent) => {
		events.push(event);
		if (event.type !== 'run.ended') return;
		endedRuns.add(event.runId);
		endWaiters.get(event.runId)?.();
	};
	let fenced = 0;
	const { model, stream } = createTestModel();
	const createProvider = (_connection: Connection, getKey: () => Promise<string | null>) => ({
		async *stream(request: ModelRequest, signal: AbortSignal) {
			yield* stream(request, signal, await getKey());
		},
		listModels: () => Promise.resolve({ ok: true as const, value: [] })
	});
	const secrets = createSecretStore(database);
	const writeDeps = { database, clock, epoch };
	const runs = createRuns({ ...writeDeps, emit, secrets, createProvider, onFenced: () => void fenced++ });
	const plain: EngineDeps = {
		...writeDeps,
		emit,
		runs,
		secrets,
		imports: createImports({ ...writeDeps, emit }),
		createProvider,
		preloadProviders: () => {},
		testConnection: () => Promise.resolve({ ok: true, model: 'm', models: [], firstWordMs: 1 }),
		findLocalServers: () => Promise.resolve([])
	};
	const deps = options.change?.(plain) ?? plain;
	const engine = createEngine(deps);
	return {
		database,
		clock,
		deps,
		model,
		events,
		fenced: () => fenced,
		handle: (envelope) => engine.handle(envelope),
		async send<T extends CommandType>(type: T, payload: PayloadOf<T>, submissionId: string = newId()) {
			const receipt = await engine.handle(envelopeOf(type, payload, submissionId));
			if (!receipt) throw new Error('this engine leads no longer');
			return receipt.result as Receipt<T>;
		},
		runEnded: (runId) =>
			new Promise((resolve) => {
				if (endedRuns.has(runId)) resolve();
				else endWaiters.set(runId, resolve);
			}),
		nodes: (threadId) => database.nodes.where('threadId').equals(threadId).sortBy('seq')
	};
}

export function envelopeOf(type: string, payload: unknown, submissionId: string = newId()): CommandEnvelope {
	return { kind: 'command', version: PROTOCOL_VERSION, clientId, submissionId, type, payload };
}

export interface TurnIds {
	readonly turnId: string;
	readonly runId: string;
	readonly contextNodeId: string;
	readonly answerNodeId: string;
	readonly messageNodeId: string;
}

export function newTurnIds(): TurnIds {
	return { turnId: newId(), runId: newId(), contextNodeId: newId(), answerNodeId: newId(), messageNodeId: newId() };
}

export const turnSettings = { connectionId: 'guide', model: 'guide', locale: 'en' } as const;

export async function setupThread(engine: TestEngine): Promise<string> {
	const threadId = newId();
	await engine.send('thread.create', { threadId });
	return threadId;
}

/** Asks and lets the model answer to the end; the ids of what came of it. */
export async function ask(engine: TestEngine, threadId: string, text: string, answerText: string): Promise<TurnIds> {
	const ids = newTurnIds();
	const receipt = await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text });
	if (!receipt.ok) throw new Error(receipt.error.code);
	await answerNext(engine, ids.runId, answerText);
	return ids;
}

export async function answerNext(engine: TestEngine, runId: string, answerText: string): Promise<void> {
	const call = await engine.model.nextCall();
	call.say(started, said(answerText), ended);
	await engine.runEnded(runId);
}

/** Every table but the receipts. */
export async function dump(engine: TestEngine): Promise<Record<string, unknown[]>> {
	const tables: Record<string, unknown[]> = {};
	for (const table of engine.database.tables) if (table.name !== 'commandReceipts') tables[table.name] = await table.toArray();
	return tables;
}
