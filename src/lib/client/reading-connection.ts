// The tab's connection for reading: opened once, and opened again whenever the browser has closed it. RUNS IN THE TAB. SPEC.md VIEW-09, VIEW-15.
import { createSystemClock } from '#lib/platform/clock.ts';
import { hasRoom } from '#lib/platform/room.ts';
import type { BoughDatabase } from '#lib/storage/database.ts';
import { openDatabase, reopenDatabase, type StorageFailure } from '#lib/storage/open-database.ts';
import { watch } from '#lib/storage/queries/watch.ts';

/** What keeps this tab from reading; null when nothing does. */
export type StorageTrouble = { readonly code: StorageFailure['code'] | 'storage-blocked'; readonly detail?: string } | null;

type Query<T> = (database: BoughDatabase) => Promise<T>;

export interface ReadingConnection {
	/** Reads once it is known whether the database opens; rejects when it does not. */
	read<T>(query: Query<T>): Promise<T>;
	/**
	 * Reads now and whenever what was read has changed; waits for the database to open, also after the browser has closed it, and
	 * says so when it cannot. A read of a database that is not open yet would end without a word. Returns the way to stop.
	 */
	watch<T>(query: Query<T>, onValue: (value: T) => void, onFailure: (failure: StorageFailure) => void): () => void;
	/** Calls back whenever the connection opens or fails. */
	onStorageTrouble(listener: (trouble: StorageTrouble) => void): void;
	/** Opens again after the back/forward cache, where Dexie closes every connection. */
	resume(): void;
	close(): void;
}

/** A live read: asked whenever the connection opens. */
interface Watcher {
	begin(): void;
	fail(failure: StorageFailure): void;
}

/** Begins to open at once. */
export function openForReading(database: BoughDatabase): ReadingConnection {
	const clock = createSystemClock();
	const closed = new AbortController();
	const watchers = new Set<Watcher>();
	const listeners = new Set<(trouble: StorageTrouble) => void>();
	/** Undefined until the first attempt has ended, null while the connection is open. */
	let failure: StorageFailure | null | undefined;
	const tell = (trouble: StorageTrouble) => listeners.forEach((listener) => listener(trouble));

	function settle(next: StorageFailure | null): void {
		failure = next;
		tell(next);
		for (const watcher of watchers) {
			if (next) watcher.fail(next);
			else watcher.begin();
		}
	}

	async function comeBack(isRoom: () => Promise<boolean>): Promise<void> {
		const { signal } = closed;
		if (await reopenDatabase(database, { clock, signal, onFailure: settle, hasRoom: isRoom })) settle(null);
	}

	const firstAttempt = openDatabase(database, {
		onOutdated: () => tell({ code: 'storage-outdated' }),
		onBlocked: () => tell({ code: 'storage-blocked' }),
		onLost: () => void comeBack(hasRoom)
	}).then((opened) => {
		if (closed.signal.aborted) return;
		settle(opened.ok ? null : opened.error);
		if (!opened.ok && opened.error.code !== 'storage-outdated') void comeBack(hasRoom);
	});

	return {
		async read(query) {
			await firstAttempt;
			if (failure) throw new Error(`${failure.code}: ${failure.detail}`);
			return query(database);
		},
		watch(query, onValue, onFailure) {
			let stop: (() => void) | null = null;
			const watcher: Watcher = {
				begin() {
					stop?.();
					stop = watch(() => query(database), onValue, onFailure);
				},
				fail: onFailure
			};
			watchers.add(watcher);
			if (failure) watcher.fail(failure);
			else if (failure === null) watcher.begin();
			return () => {
				watchers.delete(watcher);
				stop?.();
			};
		},
		onStorageTrouble: (listener) => void listeners.add(listener),
		// Nothing was wrong with the disk.
		resume: () => void comeBack(() => Promise.resolve(true)),
		close() {
			closed.abort();
			database.close();
		}
	};
}
