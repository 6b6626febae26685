// Opening with all that can go wrong said as a code, never as an empty or new database. RUNS IN TAB AND WORKER. SPEC.md DB-04, DB-05, DB-07.
import Dexie from 'dexie';
import { err, ok, type Result } from '#lib/core/std/result.ts';
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
	/** The browser closed the connection by itself: the disk failed, or the site's data was cleared. Called at most once. */
	readonly onLost?: () => void;
}

/** Opens, trying once more where the browser was only closing an older connection. */
export async function openDatabase<D extends BoughDatabase>(database: D, options: OpenDatabaseOptions): Promise<Result<D, StorageFailure>> {
	database.on('versionchange', () => {
		database.close();
		options.onOutdated();
	});
	database.on('blocked', options.onBlocked);
	for (let attempt = 1; ; attempt++) {
		try {
			// Dexie opens a database of a newer version as it is, and even adds the tables that it misses there.
			const version = await database.storedVersion();
			if (version !== null && version > databaseVersion)
				return err({ code: 'storage-outdated', detail: `version ${version}, this code knows ${databaseVersion}` });
			await database.open();
			if (options.onLost) database.backendDB().addEventListener('close', options.onLost);
			return ok(database);
		} catch (error) {
			const isClosing = error instanceof Dexie.DexieError && /closing|closed/i.test(error.message);
			if (attempt === 1 && isClosing) continue;
			return err(storageFailureOf(error));
		}
	}
}
