// Opens Bough's database for reading. RUNS IN TAB AND WORKER. Only the leading engine worker writes, through
// observed-database.ts. SPEC.md DB-01 to DB-06.
import Dexie, { type DBCore, type DBCoreTable, type DexieOptions, type PromiseExtended, type Table } from 'dexie';
import type { Connection } from '#lib/core/context/model.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { Thread } from '#lib/core/domain/threads.ts';
import { invariant } from '#lib/core/std/invariant.ts';
import { firstVersion } from './migrations/0001-first.ts';
import { observedTables } from './observed-tables.ts';
import type {
	DeviceRow,
	ForkChoiceRow,
	ImportOriginRow,
	InflightRow,
	KvRow,
	OutboxRow,
	ReceiptRow,
	RunRow,
	SecretMetaRow,
	SecretRow
} from './rows.ts';
import { WriteMemory } from './write-memory.ts';

export const defaultDatabaseName = 'bough';

const versions = [firstVersion];

/** Version that this code writes; a database of a higher one belongs to a newer Bough. */
export const databaseVersion = versions.length;

/**
 * Tables whose changes someone is told of: a transaction that writes one of them is on disk before it is answered.
 * Everything else keeps the browser's default, and nothing ever asks for 'relaxed', which can damage the file in Firefox.
 */
const strictTables = new Set(['commandReceipts', 'nodes', 'runs', 'approvals', 'interactions', 'queue', '_secrets', 'importOrigins']);

/** Tables that the write memory holds rows of. */
const rememberedTables = new Set(['device', 'threads', 'nodes']);

/** Dexie keeps the hooks of tables at level 2, and tells live reads at 0. */
const levelBelowHooks = 1;

export class BoughDatabase extends Dexie {
	declare readonly threads: Table<Thread, ThreadId>;
	declare readonly nodes: Table<TreeNode, NodeId>;
	declare readonly forkChoices: Table<ForkChoiceRow, [ThreadId, NodeId]>;
	declare readonly runs: Table<RunRow, string>;
	declare readonly commandReceipts: Table<ReceiptRow, string>;
	declare readonly inflight: Table<InflightRow, ThreadId>;
	declare readonly kv: Table<KvRow, [string, string]>;
	declare readonly providers: Table<Connection, string>;
	declare readonly secretsMeta: Table<SecretMetaRow, string>;
	declare readonly _secrets: Table<SecretRow, string>;
	declare readonly importOrigins: Table<ImportOriginRow, [string, string]>;
	declare readonly device: Table<DeviceRow, 'self'>;
	declare readonly outbox: Table<OutboxRow, number>;

	/** Whether a change of an observed table leaves a row in the change feed. */
	readonly isObserved: boolean = false;
	readonly writeMemory = new WriteMemory();

	readonly #factory: IDBFactory | undefined;
	#tableBelowHooks: ((name: string) => DBCoreTable) | null = null;
	/** `lost`: the browser closed the connection by itself. */
	#connection: 'none' | 'open' | 'lost' = 'none';
	/** Called when the browser closed the connection by itself, once each time. */
	onLost: () => void = () => {};

	constructor(name: string, options: Pick<DexieOptions, 'addons' | 'indexedDB' | 'IDBKeyRange'>) {
		// Dexie's cache gives nothing for writes that another thread makes.
		super(name, { cache: 'disabled', autoOpen: false, ...options });
		this.#factory = (options.indexedDB as IDBFactory | undefined) ?? globalThis.indexedDB;
		for (const { version, stores } of versions) this.version(version).stores({ ...stores });
		for (const table of this.tables) {
			// The feed's addon marks every table as observed; the big and the private ones must not be (docs/decisions/0005).
			(table.schema as { observable?: boolean }).observable = observedTables.has(table.name);
		}
		this.use({ stack: 'dbcore', name: 'durability', create: withDurability });
		this.use({ stack: 'dbcore', name: 'below-hooks', level: levelBelowHooks, create: (core) => this.#openBelowHooks(core) });
		// Turned off above, it still puts listeners on each transaction.
		this.unuse({ stack: 'dbcore', name: 'Cache' });
	}

	/**
	 * A table without Dexie's hooks, for a write that keeps change feed and write memory itself (writes/write-rows.ts) and for
	 * reads. Live reads are told of its changes.
	 */
	tableBelowHooks(name: string): DBCoreTable {
		invariant(this.#tableBelowHooks, 'the database is open');
		return this.#tableBelowHooks(name);
	}

	/** What comes through here from above is a write that knows nothing of the memory: it would be wrong afterwards. */
	#openBelowHooks(core: DBCore): DBCore {
		// Dexie's core makes a table anew each time it is asked for one.
		const tables = new Map(core.schema.tables.map(({ name }) => [name, core.table(name)]));
		const table = (name: string): DBCoreTable => tables.get(name) ?? core.table(name);
		this.#tableBelowHooks = table;
		const forgetting = (below: DBCoreTable): DBCoreTable => ({
			...below,
			mutate: (request) => {
				this.writeMemory.forget();
				return below.mutate(request);
			}
		});
		return { ...core, table: (name) => (rememberedTables.has(name) ? forgetting(table(name)) : table(name)) };
	}

	/**
	 * Opens for the first time. Dexie calls this by itself when it meets a lost connection, at once and without a word: that is
	 * refused, because on a full disk an open that cannot write may cost the whole database (SPEC.md DB-08).
	 */
	override open(): PromiseExtended<Dexie> {
		if (this.#connection === 'open') this.#lose();
		if (this.#connection === 'lost') return Dexie.Promise.reject(new Dexie.DatabaseClosedError());
		return super.open().then((opened) => {
			this.#connection = 'open';
			this.backendDB().addEventListener('close', () => this.#lose());
			return opened;
		});
	}

	/** Opens a lost connection again. */
	reopen(): PromiseExtended<Dexie> {
		this.#connection = 'none';
		this.writeMemory.forget();
		return this.open().catch((error: unknown) => {
			this.#connection = 'lost';
			throw error;
		});
	}

	override close(options?: { disableAutoOpen: boolean }): void {
		// With options it is Dexie that closes, to open again.
		if (options === undefined) this.#connection = 'none';
		super.close(options);
	}

	#lose(): void {
		if (this.#connection !== 'open') return;
		this.#connection = 'lost';
		this.onLost();
	}

	/** The version that is on disk, whoever wrote it; null when there is none, or the browser does not say. */
	async storedVersion(): Promise<number | null> {
		const databases = await this.#factory?.databases?.();
		const nativeVersion = databases?.find((database) => database.name === this.name)?.version;
		// Dexie multiplies its versions by ten for the browser.
		return nativeVersion === undefined ? null : Math.floor(nativeVersion / 10);
	}
}

function withDurability(core: DBCore): DBCore {
	return {
		...core,
		transaction: (stores, mode, options) =>
			core.transaction(
				stores,
				mode,
				mode === 'readwrite' && stores.some((store) => strictTables.has(store)) ? { ...options, durability: 'strict' } : options
			)
	};
}

/** A connection for reading: a tab's, or a test's. Takes no part in the change feed. Not open yet: see `openDatabase`. */
export function createReadingDatabase(name = defaultDatabaseName): BoughDatabase {
	return new BoughDatabase(name, { addons: [] });
}
