// The one connection that writes. RUNS IN THE LEADING ENGINE WORKER only (SPEC.md DB-03, DB-06): the change feed's addon lives here and nowhere else
// (docs/decisions/0005). The addon patches a global list when it is imported, so every other connection names its addons.
import type { Table } from 'dexie';
import observable from 'dexie-observable';
import { BoughDatabase, defaultDatabaseName } from './database.ts';
import { writeTransaction, type WriteDeps } from './writes/write-transaction.ts';

/** The addon's types add `_changes` and `_syncNodes` to every Dexie; only this connection may use them. */
export class ObservedDatabase extends BoughDatabase {
	override readonly isObserved = true;

	constructor(name: string) {
		super(name, { addons: [observable] });
		// The addon's own reader is not begun. Nobody listens to it, it writes twice a second for as long as the engine lives, and
		// each of these writes reads a counter: when the disk is full, Chromium takes that read for damage and throws the whole
		// database away (docs/decisions/0005). Dexie's type leaves out what every event of its has.
		const ready = this.on.ready as unknown as { readonly subscribers: readonly (() => void)[]; unsubscribe(begin: () => void): void };
		for (const begin of [...ready.subscribers]) ready.unsubscribe(begin);
	}
}

export function createObservedDatabase(name = defaultDatabaseName): ObservedDatabase {
	return new ObservedDatabase(name);
}

/** The durable place of the sync that does not send yet: rows of the feed at or below `myRevision` may go. */
const syncCursorUrl = 'sync:main';

/**
 * Makes sure that the feed has a reader of its own, and, since nothing is sent yet, moves it to the newest change, so that
 * the feed does not grow for ever. When sync is turned on for the first time it begins with the whole state, not the feed.
 * Throws FencedError for a leader of the past.
 */
export async function advanceChangeFeed(deps: WriteDeps): Promise<void> {
	await writeTransaction(deps, ['_syncNodes', '_changes'], async ({ database }) => {
		// The addon's own type leaves out the fields that make a reader a remote one.
		const syncNodes: Table<
			{ id?: number; type: string; url: string; myRevision: number; status: number; lastHeartBeat: number; isMaster: number },
			number
		> = database.table('_syncNodes');
		const newest = (await database._changes.orderBy('rev').last())?.rev ?? 0;
		const cursor = await syncNodes.where('url').equals(syncCursorUrl).first();
		if (cursor?.id === undefined)
			await syncNodes.add({ type: 'remote', url: syncCursorUrl, myRevision: newest, status: 0, lastHeartBeat: 0, isMaster: 0 });
		else if (cursor.myRevision < newest) await syncNodes.update(cursor.id, { myRevision: newest });
		await database._changes.where('rev').below(newest).delete();
	});
}
