import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import { BoughDatabase } from './database.ts';
import { isStorageError, openDatabase, storageFailureOf } from './open-database.ts';

const named = (name: string, more: object = {}) => Object.assign(new Error('words'), { name, ...more });
const create = (factory: IDBFactory | null, name = 'bough') =>
	new BoughDatabase(name, { addons: [], indexedDB: factory as IDBFactory, IDBKeyRange });
const silent = { onOutdated: () => {}, onBlocked: () => {} };

describe('opening', () => {
	it('DB-04: a database of a newer Bough is refused and left as it is', async () => {
		const factory = new IDBFactory();
		const newer = new Dexie('bough', { addons: [], indexedDB: factory, IDBKeyRange });
		newer.version(7).stores({ threads: 'id', future: 'id' });
		await newer.open();
		await newer.table('future').add({ id: 'x' });
		newer.close();
		expect(await openDatabase(create(factory), silent)).toMatchObject({ ok: false, error: { code: 'storage-outdated' } });
		await newer.open();
		expect([newer.verno, newer.backendDB().version, newer.tables.length]).toEqual([7, 70, 2]);
		expect([...newer.backendDB().objectStoreNames]).toEqual(['future', 'threads']);
		expect(await newer.table('future').toArray()).toEqual([{ id: 'x' }]);
	});

	it('DB-04: no IndexedDB at all, and a failing open, are codes', async () => {
		const database = create(null);
		expect(await openDatabase(database, silent)).toMatchObject({ ok: false, error: { code: 'storage-unavailable' } });
		const full = create(new IDBFactory());
		vi.spyOn(full, 'open').mockRejectedValue(named('OpenFailedError', { inner: named('QuotaExceededError') }));
		expect(await openDatabase(full, silent)).toMatchObject({ ok: false, error: { code: 'storage-full' } });
	});

	it('DB-04: an open that met a closing connection is tried once more, and only once', async () => {
		const factory = new IDBFactory();
		const database = create(factory);
		const open = vi.spyOn(database, 'open').mockRejectedValueOnce(new Dexie.DatabaseClosedError('The database connection is closing.'));
		expect((await openDatabase(database, silent)).ok).toBe(true);
		expect(open).toHaveBeenCalledTimes(2);
		const failing = create(factory, 'other');
		const tries = vi.spyOn(failing, 'open').mockRejectedValue(new Dexie.DatabaseClosedError('The database connection is closing.'));
		expect(await openDatabase(failing, silent)).toMatchObject({ ok: false, error: { code: 'storage-failed' } });
		expect(tries).toHaveBeenCalledTimes(2);
	});

	it('DB-05: a newer version that wants in closes this connection at once, and says so once', async () => {
		const factory = new IDBFactory();
		const onOutdated = vi.fn();
		const database = create(factory);
		await openDatabase(database, { ...silent, onOutdated });
		const newer = new Dexie('bough', { addons: [], indexedDB: factory, IDBKeyRange });
		newer.version(7).stores({ threads: 'id' });
		await newer.open();
		expect([database.isOpen(), onOutdated.mock.calls.length]).toEqual([false, 1]);
		await expect(database.threads.count()).rejects.toThrow(Dexie.DatabaseClosedError);
	});
});

describe('failures', () => {
	it.each([
		[named('QuotaExceededError'), 'storage-full'],
		[named('AbortError', { inner: named('QuotaExceededError') }), 'storage-full'],
		[new Dexie.BulkError('many', [named('QuotaExceededError'), named('AbortError')]), 'storage-full'],
		[named('VersionError'), 'storage-outdated'],
		[named('OpenFailedError', { inner: named('SecurityError') }), 'storage-unavailable'],
		[named('UnknownError'), 'storage-failed'],
		[named('DatabaseClosedError'), 'storage-failed']
	])('DB-07: %s has the code of what lies under it', (error, code) => {
		expect([isStorageError(error), storageFailureOf(error).code]).toEqual([true, code]);
	});

	it.each([[new TypeError('x')], [named('ConstraintError')], [named('DataError')], ['text'], [null], [undefined]])(
		'DB-07: %s is a mistake of ours',
		(error) => {
			expect(isStorageError(error)).toBe(false);
			expect(storageFailureOf(error).detail.length).toBeLessThanOrEqual(300);
		}
	);

	it('DB-07: an error that holds itself is read once', () => {
		const error = named('UnknownError');
		expect(isStorageError(Object.assign(error, { inner: error }))).toBe(true);
	});
});
