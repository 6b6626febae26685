// Opens Bough's database for reading. RUNS IN TAB AND WORKER. Only the leading engine worker writes, through
// observed-database.ts. SPEC.md DB-01 to DB-06.
import Dexie, { type DBCore, type DexieOptions, type PromiseExtended, type Table } from 'dexie';
import type { Connection } from '#lib/core/context/model.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { Thread } from '#lib/core/domain/threads.ts';
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

export const defaultDatabaseName = 'bough';

const versions = [firstVersion];

/** Version that this code writes; a database of a higher one belongs to a newer Bough. */
export const databaseVersion = versions.length;

/**
 * Tables whose changes someone is told of: a transaction that writes one of them is on disk before it is answered.
 * Everything else keeps the browser's default, and nothing ever asks for 'relaxed', which can damage the file in Firefox.
 */
const strictTables = new Set(['commandReceipts', 'nodes', 'runs', 'approvals', 'interactions', 'queue', '_secrets', 'importOrigins']);

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

	readonly #factory: IDBFactory | undefined;
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
	}

	/**
	 * Opens for the first time. Dexie calls this by itself when it meets a lost connection, at once and without a word: that is
	 * refused, because on a full disk an open that cannot write may cost the whole database (SPEC.md DB-08).
	 */
	override open(): PromiseExtended<Dexie> {
		if (this.#connection === 'open') this.#lose();
		if (this.#connection === 'lost') return Dexie.Promise.reject(new Dexie.DatabaseClosedError()) as PromiseExtended<Dexie>;
		return super.open().then((opened) => {
			this.#connection = 'open';
			this.backendDB().addEventListener('close', () => this.#lose());
			return opened;
		});
	}

	/** Opens a lost connection again. */
	reopen(): PromiseExtended<Dexie> {
		this.#connection = 'none';
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
