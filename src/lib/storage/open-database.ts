// Opening with all that can go wrong said as a code, never as an empty or new database. RUNS IN TAB AND WORKER. SPEC.md DB-04, DB-05, DB-07, DB-08.
import Dexie from 'dexie';
import { err, ok, type Result } from '#lib/core/std/result.ts';
import type { Clock } from '#lib/platform/clock.ts';
import { databaseVersion, type BoughDatabase } from './database.ts';

export interface StorageFailure {
	readonly code: 'storage-full' | 'storage-outdated' | 'storage-unavailable' | 'storage-failed';
	/** The browser's own words. */
	readonly detail: string;
}

/** The code of any error that the database throws. */
export function storageFailureOf(error: unknown): StorageFailure {
	const names = errorNames(error);
	const detail = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : String(error).slice(0, 300);
	if (names.has('QuotaExceededError')) return { code: 'storage-full', detail };
	if (names.has('VersionError')) return { code: 'storage-outdated', detail };
	// Private windows of some browsers, blocked site data, no IndexedDB at all.
	if (names.has('MissingAPIError') || names.has('InvalidStateError') || names.has('SecurityError'))
		return { code: 'storage-unavailable', detail };
	return { code: 'storage-failed', detail };
}

/** What a database says when it cannot be read or written, whoever asks; every other error of Dexie is a mistake of ours. */
const storageErrorNames = [
	'AbortError',
	'DatabaseClosedError',
	'InvalidStateError',
	'MissingAPIError',
	'NotReadableError',
	'OpenFailedError',
	'QuotaExceededError',
	'SecurityError',
	'TimeoutError',
	'UnknownError',
	'VersionError'
];

/** True when the database failed, false when the code did. */
export function isStorageError(error: unknown): boolean {
	const names = errorNames(error);
	return storageErrorNames.some((name) => names.has(name));
}

/** Dexie wraps the browser's error; the name that tells most may be one or two levels down, or among those of a bulk write. */
function errorNames(error: unknown): Set<string> {
	const names = new Set<string>();
	const open: { value: unknown; level: number }[] = [{ value: error, level: 0 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const { value, level } = next;
		if (typeof value !== 'object' || value === null || level > 3) continue;
		if ('name' in value && typeof value.name === 'string') names.add(value.name);
		if ('inner' in value) open.push({ value: value.inner, level: level + 1 });
		// Of thousands of failures one tells as much as all.
		if ('failures' in value && Array.isArray(value.failures)) open.push({ value: value.failures[0], level: level + 1 });
	}
	return names;
}

export interface OpenDatabaseOptions {
	/** Another tab of a newer Bough wants to upgrade: this connection is closed already. Called at most once. */
	readonly onOutdated: () => void;
	/** An older tab holds the database; called when that has lasted for a moment, and open goes on waiting. */
	readonly onBlocked: () => void;
	/** The browser closed the connection by itself: the disk failed or is full, or the site's data was cleared. See `reopenDatabase`. */
	readonly onLost?: () => void;
}

/** Opens, trying once more where the browser was only closing an older connection. Once for each connection. */
export async function openDatabase<D extends BoughDatabase>(database: D, options: OpenDatabaseOptions): Promise<Result<D, StorageFailure>> {
	database.on('versionchange', () => {
		database.close();
		options.onOutdated();
	});
	database.on('blocked', options.onBlocked);
	if (options.onLost) database.onLost = options.onLost;
	const failure = await tryToOpen(database, () => database.open());
	return failure ? err(failure) : ok(database);
}

/** Pauses between two attempts to open again: soon at first, as often as a person may look for it later. */
const reopenPausesMs = [200, 1_000, 2_000, 5_000];

export interface ReopenDatabaseOptions {
	readonly clock: Clock;
	/** Ends the attempts. */
	readonly signal: AbortSignal;
	/** Called after each attempt that failed. */
	readonly onFailure: (failure: StorageFailure) => void;
	/** Whether the disk takes something. */
	readonly hasRoom: () => Promise<boolean>;
}

/**
 * Opens a lost or never opened connection, trying until it works, but not while the disk is full: Chromium takes what a
 * database could not write for damage, and throws the whole database away. False when another attempt has no sense:
 * aborted, or a newer Bough has the database.
 */
export async function reopenDatabase(database: BoughDatabase, options: ReopenDatabaseOptions): Promise<boolean> {
	const { clock, signal, onFailure, hasRoom } = options;
	for (let attempt = 0; ; attempt++) {
		await clock.sleep(reopenPausesMs[Math.min(attempt, reopenPausesMs.length - 1)] ?? 0, signal);
		if (signal.aborted) return false;
		const failure: StorageFailure | null = (await hasRoom())
			? await tryToOpen(database, () => database.reopen())
			: { code: 'storage-full', detail: 'a trial of 4 MB could not be written' };
		if (signal.aborted) {
			database.close();
			return false;
		}
		if (!failure) return true;
		onFailure(failure);
		if (failure.code === 'storage-outdated') return false;
	}
}

/** Answers what kept it from opening, null when it is open. */
async function tryToOpen(database: BoughDatabase, open: () => PromiseLike<unknown>): Promise<StorageFailure | null> {
	for (let attempt = 1; ; attempt++) {
		try {
			// Dexie opens a database of a newer version as it is, and even adds the tables that it misses there.
			const version = await database.storedVersion();
			if (version !== null && version > databaseVersion)
				return { code: 'storage-outdated', detail: `version ${version}, this code knows ${databaseVersion}` };
			await open();
			return null;
		} catch (error) {
			const isClosing = error instanceof Dexie.DexieError && /closing|closed/i.test(error.message);
			if (attempt === 1 && isClosing) continue;
			return storageFailureOf(error);
		}
	}
}
