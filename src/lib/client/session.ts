// The tab's composition root: one database connection for reading, one engine, and what every screen shares. RUNS IN THE TAB.
import { createReadingDatabase, defaultDatabaseName } from '#lib/storage/database.ts';
import { EngineClient } from './engine-client.ts';
import { openForReading, type ReadingConnection } from './reading-connection.ts';

export interface Session extends ReadingConnection {
	readonly engine: EngineClient;
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
	const reading = openForReading(database);
	const onPageHide = () => engine.stop();
	const onPageShow = (event: PageTransitionEvent) => {
		if (!event.persisted) return;
		reading.resume();
		engine.start();
	};
	addEventListener('pagehide', onPageHide);
	addEventListener('pageshow', onPageShow);
	engine.start();
	return {
		...reading,
		engine,
		close() {
			removeEventListener('pagehide', onPageHide);
			removeEventListener('pageshow', onPageShow);
			engine.stop();
			reading.close();
		}
	};
}

function createEngineWorker(): Worker {
	return new Worker(new URL('../engine/engine.worker.ts', import.meta.url), { type: 'module', name: 'bough-engine' });
}
