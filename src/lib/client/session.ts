// The tab's composition root: one database connection for reading, one engine, and what every screen shares. RUNS IN THE TAB.
import { createReadingDatabase, defaultDatabaseName, type BoughDatabase } from '#lib/storage/database.ts';
import { openDatabase, type StorageFailure } from '#lib/storage/open-database.ts';
import { watch } from '#lib/storage/queries/watch.ts';
import { EngineClient } from './engine-client.ts';

export interface Session {
	/** Reads once the database is open; rejects when it could not be opened. */
	read<T>(query: (database: BoughDatabase) => Promise<T>): Promise<T>;
	/**
	 * Reads now and whenever what was read has changed; waits for the database to open, and says so when it cannot. A read of a
	 * database that is not open yet would end without a word. Returns the way to stop.
	 */
	watch<T>(
		query: (database: BoughDatabase) => Promise<T>,
		onValue: (value: T) => void,
		onFailure: (failure: StorageFailure) => void
	): () => void;
	readonly engine: EngineClient;
	/** Resolves with what kept the database from opening, null when it opened. Settles once. */
	readonly opened: Promise<StorageFailure | null>;
	/** Calls back when this tab's connection was closed for a newer version, or an older tab keeps it from opening. */
	onStorageTrouble(listener: (code: 'storage-outdated' | 'storage-blocked') => void): void;
	close(): void;
}

export interface SessionOptions {
	readonly databaseName?: string;
	readonly createWorker?: () => Worker;
}

/** Begins at once. Ends its worker when the page goes away and starts another when it comes back. */
export function startSession(options: SessionOptions = {}): Session {
	const databaseName = options.databaseName ?? defaultDatabaseName;
	const database = createReadingDatabase(databaseName);
	const engine = new EngineClient({ databaseName, createWorker: options.createWorker ?? createEngineWorker });
	const listeners = new Set<(code: 'storage-outdated' | 'storage-blocked') => void>();
	const tell = (code: 'storage-outdated' | 'storage-blocked') => listeners.forEach((listener) => listener(code));
	const opened = openDatabase(database, { onOutdated: () => tell('storage-outdated'), onBlocked: () => tell('storage-blocked') }).then(
		(result) => (result.ok ? null : result.error)
	);
	const onPageHide = () => engine.stop();
	const onPageShow = (event: PageTransitionEvent) => {
		if (event.persisted) engine.start();
	};
	addEventListener('pagehide', onPageHide);
	addEventListener('pageshow', onPageShow);
	engine.start();
	return {
		async read(query) {
			const failure = await opened;
			if (failure) throw new Error(`${failure.code}: ${failure.detail}`);
			return query(database);
		},
		watch(query, onValue, onFailure) {
			let stop: (() => void) | null = null;
			let isStopped = false;
			void opened.then((failure) => {
				if (isStopped) return;
				if (failure) onFailure(failure);
				else stop = watch(() => query(database), onValue, onFailure);
			});
			return () => {
				isStopped = true;
				stop?.();
			};
		},
		engine,
		opened,
		onStorageTrouble: (listener) => void listeners.add(listener),
		close() {
			removeEventListener('pagehide', onPageHide);
			removeEventListener('pageshow', onPageShow);
			engine.stop();
			database.close();
		}
	};
}

function createEngineWorker(): Worker {
	return new Worker(new URL('../engine/engine.worker.ts', import.meta.url), { type: 'module', name: 'bough-engine' });
}
