// Many rows in one go, without what Dexie's tables do around each of them. ENGINE WORKER. SPEC.md DB-03, DB-20; docs/decisions/0010.
import type { Transaction } from 'dexie';
import type { BoughDatabase } from '../database.ts';

/** Tables whose rows may be written so. The change feed has no hook on them, threads aside: whoever writes a thread writes its feed row too. */
export type QuickTable = 'commandReceipts' | 'device' | 'forkChoices' | 'inflight' | 'nodes' | 'runs' | 'threads' | '_changes';

export interface RowsToWrite {
	readonly table: QuickTable;
	/** `add` fails where the key is taken. */
	readonly type: 'add' | 'put';
	readonly rows: readonly unknown[];
}

/**
 * Asks for all at once, in their order, and resolves when all are in. Rejects with the first failure as Dexie names it
 * (ConstraintError, QuotaExceededError …); the transaction must then be given up. Live reads are told as by any write.
 */
export function writeRows(database: BoughDatabase, transaction: Transaction, writes: readonly RowsToWrite[]): Promise<unknown> {
	return Promise.all(
		writes
			.filter(({ rows }) => rows.length > 0)
			.map(({ table, type, rows }) => {
				return database
					.tableBelowHooks(table)
					.mutate({ type, trans: transaction.idbtrans, values: rows })
					.then(({ failures }) => {
						const [failure] = Object.values(failures);
						if (failure) throw failure;
					});
			})
	);
}
