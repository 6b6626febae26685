// Opening with all that can go wrong said as a code, never as an empty or new database. RUNS IN TAB AND WORKER. SPEC.md DB-04.
import Dexie from 'dexie';
import { err, ok, type Result } from '#lib/core/std/result.ts';
import type { BoughDatabase } from './database.ts';

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

/** Dexie wraps the browser's error; the name that tells most may be one or two levels down. */
function errorNames(error: unknown): Set<string> {
	const names = new Set<string>();
	for (let next = error, level = 0; typeof next === 'object' && next !== null && level < 4; level++) {
		if ('name' in next && typeof next.name === 'string') names.add(next.name);
		next = 'inner' in next ? next.inner : undefined;
	}
	return names;
}

export interface OpenDatabaseOptions {
	/** Another tab of a newer Bough wants to upgrade: this connection is closed already. Called at most once. */
	readonly onOutdated: () => void;
	/** An older tab holds the database; called when that has lasted for a moment, and open goes on waiting. */
	readonly onBlocked: () => void;
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
			await database.open();
			return ok(database);
		} catch (error) {
			const isClosing = error instanceof Dexie.DexieError && /closing|closed/i.test(error.message);
			if (attempt === 1 && isClosing) continue;
			return err(storageFailureOf(error));
		}
	}
}
