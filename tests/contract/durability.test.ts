// What is asked of the disk, versions, and keys that cannot leave the browser, in a real browser.
import Dexie from 'dexie';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSecretStore } from '#lib/engine/secrets/secret-store.ts';
import { createReadingDatabase, type BoughDatabase } from '#lib/storage/database.ts';
import { advanceChangeFeed } from '#lib/storage/observed-database.ts';
import { openDatabase } from '#lib/storage/open-database.ts';
import { readThreadView } from '#lib/storage/queries/thread-view.ts';
import { question, threadRow } from '#lib/storage/test-database.ts';
import { appendTables, writeTransaction } from '#lib/storage/writes/write-transaction.ts';
import { newName, openReading, openWriter } from './test-connections.ts';

const names: string[] = [];
const open: Dexie[] = [];

afterEach(async () => {
	vi.restoreAllMocks();
	for (const database of open.splice(0)) database.close();
	for (const name of names.splice(0)) await Dexie.delete(name);
});

function name(): string {
	const made = newName();
	names.push(made);
	return made;
}

function keepOpen<D extends Dexie>(database: D): D {
	open.push(database);
	return database;
}

/** Every transaction that is begun from now on: its stores, mode and what it asks of the disk. */
function spyOnTransactions() {
	const seen: { readonly stores: readonly string[]; readonly mode: string; readonly durability: string | undefined }[] = [];
	const begin = IDBDatabase.prototype.transaction;
	vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, stores, mode, options) {
		seen.push({ stores: typeof stores === 'string' ? [stores] : [...stores], mode: mode ?? 'readonly', durability: options?.durability });
		return begin.call(this, stores, mode, options);
	});
	return seen;
}

describe('durability', () => {
	it('DB-02: strict where something is acknowledged, nothing else anywhere', async () => {
		const seen = spyOnTransactions();
		const deps = await openWriter(name());
		keepOpen(deps.database);
		await writeTransaction(deps, ['threads'], (unit) => Promise.resolve(unit.putThread(threadRow('a'))));
		await writeTransaction(deps, ['inflight'], (unit) => unit.database.inflight.delete('a'));
		await advanceChangeFeed(deps);
		await readThreadView(deps.database, 'a', { endId: null, limit: 5 });
		expect(seen.length).toBeGreaterThan(5);
		expect(seen.filter((transaction) => transaction.durability !== undefined)).toEqual([]);
		seen.length = 0;
		for (const table of ['commandReceipts', 'nodes', 'runs', 'approvals', 'interactions', 'queue', '_secrets', 'importOrigins'])
			await writeTransaction(deps, [table], () => Promise.resolve());
		await writeTransaction(deps, [...appendTables, 'commandReceipts'], async (unit) => {
			await unit.append('a', { id: 'n', parentId: null, content: question('q') });
		});
		const writes = seen.filter((transaction) => transaction.mode === 'readwrite' && transaction.stores.includes('device'));
		expect(writes.map((transaction) => transaction.durability)).toEqual(Array.from({ length: 9 }, () => 'strict'));
		expect(seen.filter((transaction) => transaction.durability !== undefined && transaction.durability !== 'strict')).toEqual([]);
		expect(seen.filter((transaction) => transaction.mode === 'readonly' && transaction.durability !== undefined)).toEqual([]);
	});
});

/** A Bough of the future. */
async function openNewer(databaseName: string): Promise<Dexie> {
	const current = createReadingDatabase(databaseName);
	const stores = Object.fromEntries(current.tables.map((table) => [table.name, table.name === 'threads' ? 'id, updatedAt' : '']));
	const newer = new Dexie(databaseName, { addons: [] });
	newer
		.version(9)
		.stores({ future: 'id', ...Object.fromEntries(Object.keys(stores).map((table) => [table, currentSchema(current, table)])) });
	await newer.open();
	return keepOpen(newer);
}

function currentSchema(database: BoughDatabase, table: string): string {
	const { primKey, indexes } = database.table(table).schema;
	return [primKey.src, ...indexes.map((index) => index.src)].join(',');
}

describe('versions', () => {
	it('DB-05: a newer Bough that wants in: every connection closes at once and says so', async () => {
		const databaseName = name();
		const [ofTab, ofEngine] = [vi.fn(), vi.fn()];
		const tab = keepOpen(await openReading(databaseName, { onOutdated: ofTab, onBlocked: () => {} }));
		const { database } = await openWriter(databaseName, { onOutdated: ofEngine, onBlocked: () => {} });
		keepOpen(database);
		const newer = await openNewer(databaseName);
		expect([ofTab.mock.calls.length, ofEngine.mock.calls.length]).toEqual([1, 1]);
		expect([tab.isOpen(), database.isOpen()]).toEqual([false, false]);
		await expect(database.threads.put(threadRow('late'))).rejects.toThrow(Dexie.DatabaseClosedError);
		expect(await newer.table('threads').count()).toBe(0);
	});

	it('DB-04: a database of a newer Bough is refused, and not a byte of it changes', async () => {
		const databaseName = name();
		const newer = await openNewer(databaseName);
		await newer.table('future').add({ id: 'x', words: 'keep me' });
		const refused = { ok: false, error: { code: 'storage-outdated' } };
		expect(await openDatabase(createReadingDatabase(databaseName), { onOutdated: () => {}, onBlocked: () => {} })).toMatchObject(refused);
		await expect(openWriter(databaseName)).rejects.toThrow('storage-outdated');
		expect([newer.isOpen(), newer.backendDB().version]).toEqual([true, 90]);
		expect(await newer.table('future').toArray()).toEqual([{ id: 'x', words: 'keep me' }]);
	});
});

describe('keys', () => {
	it('SEC-02: the wrapping key lives through closing and opening, and never comes out', async () => {
		const databaseName = name();
		const first = await openWriter(databaseName);
		keepOpen(first.database);
		const sealed = await createSecretStore(first.database).seal('connection:c', 'sk-canary');
		await first.database._secrets.put(sealed);
		const meta = { id: sealed.id, ownerKind: 'connection' as const, ownerId: 'c', origin: 'https://one.example', updatedAt: 1 };
		await first.database.secretsMeta.put(meta);
		first.database.close();
		const second = await openWriter(databaseName);
		keepOpen(second.database);
		expect(await createSecretStore(second.database).reveal(sealed.id, 'https://one.example')).toBe('sk-canary');
		const row = await second.database._secrets.get('wrapping-key');
		if (!row || !('key' in row)) throw new Error('the wrapping key is kept');
		expect([row.key.extractable, row.key.algorithm.name, row.key.type]).toEqual([false, 'AES-GCM', 'secret']);
		for (const format of ['raw', 'jwk'] as const) await expect(crypto.subtle.exportKey(format, row.key)).rejects.toThrow(DOMException);
		const kept = await second.database._secrets.get(sealed.id);
		expect(new TextDecoder('latin1').decode(kept && 'ciphertext' in kept ? kept.ciphertext : new ArrayBuffer(0))).not.toContain('canary');
	});
});
