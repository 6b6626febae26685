// Live reads: a query that is asked again whenever what it read has changed, in any tab or worker. RUNS IN THE TAB.
import { liveQuery } from 'dexie';
import { storageFailureOf, type StorageFailure } from '../open-database.ts';

/** Calls `onValue` with the first and every later result; a failed read is told apart from an empty one. Returns the way to stop. */
export function watch<T>(query: () => Promise<T>, onValue: (value: T) => void, onFailure: (failure: StorageFailure) => void): () => void {
	const subscription = liveQuery(query).subscribe({
		next: onValue,
		error: (error: unknown) => onFailure(storageFailureOf(error))
	});
	return () => subscription.unsubscribe();
}
