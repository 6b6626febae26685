// Makes the engine of a worker that leads: opens the database, fences out the last leader, recovers, begins. ENGINE WORKER.
import type { Connection, ModelProvider } from '#lib/core/context/model.ts';
import type { EngineEvent, EngineState } from '#lib/core/protocol/events.ts';
import type { Clock } from '#lib/platform/clock.ts';
import { newDeviceId } from '#lib/platform/ids.ts';
import { hasRoom } from '#lib/platform/room.ts';
import { advanceChangeFeed, createObservedDatabase } from '#lib/storage/observed-database.ts';
import { openDatabase, reopenDatabase, storageFailureOf } from '#lib/storage/open-database.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { FencedError, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { createEngine } from './create-engine.ts';
import { createImports } from './imports.ts';
import { loadClient } from './providers/call-client.ts';
import { createProvider } from './providers/create-provider.ts';
import { findLocalServers } from './providers/find-local-servers.ts';
import { createProviderDeps } from './providers/provider-deps.ts';
import { testConnection } from './providers/test-connection.ts';
import { pruneReceipts, recoverRuns } from './recovery.ts';
import { createRuns } from './runs.ts';
import { createSecretStore } from './secrets/secret-store.ts';
import type { LeadingEngine } from './worker-host.ts';

/** How often the change feed is shortened while nothing is sent. */
const advanceFeedEveryMs = 60_000;
/** Old receipts are thrown away when the engine starts and then once an hour. */
const pruneEveryRounds = 60;

export interface StartEngineDeps {
	readonly clock: Clock;
	readonly databaseName: string;
	readonly emit: (event: EngineEvent) => void;
	readonly onState: (state: EngineState) => void;
	readonly onFenced: () => void;
}

export async function startEngine({ clock, databaseName, emit, onState, onFenced }: StartEngineDeps): Promise<LeadingEngine | null> {
	const database = createObservedDatabase(databaseName);
	const closed = new AbortController();
	let epoch: number | null = null;

	/** The lead is kept: the answers of this moment live in this worker's memory alone, and are written when there is room again. */
	async function comeBack(): Promise<void> {
		// Still at the start: that fails by itself, and is tried anew.
		if (epoch === null) return;
		const isOpen = await reopenDatabase(database, {
			clock,
			signal: closed.signal,
			onFailure: ({ code, detail }) => onState({ kind: 'failed', code, detail }),
			hasRoom
		});
		if (closed.signal.aborted) return;
		if (isOpen) onState({ kind: 'leading', epoch });
		else onFenced();
	}

	const opened = await openDatabase(database, {
		onOutdated() {
			onState({ kind: 'failed', code: 'engine-outdated' });
			onFenced();
		},
		onBlocked: () => onState({ kind: 'failed', code: 'storage-blocked' }),
		onLost: () => void comeBack()
	});
	if (!opened.ok) {
		onState({ kind: 'failed', code: opened.error.code, detail: opened.error.detail });
		return null;
	}
	try {
		epoch = await beginEpoch(database, () => ({ deviceId: newDeviceId(), epoch: clock.nowMs() }));
		const secrets = createSecretStore(database);
		const createProviderFor = providersByConnection();
		const writeDeps = { database, clock, epoch };
		const runs = createRuns({ ...writeDeps, emit, secrets, createProvider: createProviderFor, onFenced });
		const providerDeps = createProviderDeps();
		const engine = createEngine({
			...writeDeps,
			emit,
			runs,
			secrets,
			imports: createImports({ ...writeDeps, emit }),
			createProvider: createProviderFor,
			testConnection,
			findLocalServers: () => findLocalServers(providerDeps),
			preloadProviders
		});
		const toStart = await recoverRuns(writeDeps);
		for (const runId of toStart) runs.start(runId);
		void keepHouse(writeDeps, closed.signal, onFenced);
		if ((await database.providers.count()) > 0) preloadProviders();
		return {
			epoch,
			handle: (command) => engine.handle(command),
			watch: (threadId) => runs.tellSnapshot(threadId),
			close() {
				closed.abort();
				runs.abandon();
				database.close();
			}
		};
	} catch (error) {
		const failure = storageFailureOf(error);
		onState({ kind: 'failed', code: failure.code, detail: failure.detail });
		closed.abort();
		database.close();
		return null;
	}
}

/** So that a server on this machine answers without a network, also before the service worker serves this worker. */
function preloadProviders(): void {
	// A failure is told when a question needs it.
	void loadClient().catch(() => undefined);
}

/** Shortens what would grow for ever. A failure is left to the commands to tell, and tried again the next time. */
async function keepHouse(deps: WriteDeps, closed: AbortSignal, onFenced: () => void): Promise<void> {
	for (let rounds = 0; !closed.aborted; rounds++) {
		try {
			if (rounds % pruneEveryRounds === 0) await pruneReceipts(deps);
			await advanceChangeFeed(deps);
		} catch (error) {
			if (error instanceof FencedError) return onFenced();
			if (!closed.aborted) console.warn(error);
		}
		await deps.clock.sleep(advanceFeedEveryMs, closed);
	}
}

/** A provider learns what its server refuses: it is kept until the connection changes. A form's draft (`updatedAt` 0) gets a new one each time. */
function providersByConnection() {
	const kept = new Map<string, { readonly connection: string; readonly provider: ModelProvider }>();
	return (connection: Connection, getKey: () => Promise<string | null>): ModelProvider => {
		// Not the time alone: two changes may fall into one millisecond.
		const unchanged = JSON.stringify(connection);
		const known = kept.get(connection.id);
		if (known?.connection === unchanged && connection.updatedAt !== 0) return known.provider;
		const provider = createProvider(createProviderDeps(), connection, getKey);
		if (connection.updatedAt !== 0) kept.set(connection.id, { connection: unchanged, provider });
		return provider;
	};
}
