import Dexie from 'dexie';
import { forceCloseDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import { BoughDatabase } from './database.ts';
import { isStorageError, openDatabase, reopenDatabase, storageFailureOf } from './open-database.ts';
import { createSteppedClock } from './test-database.ts';

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

describe('a connection that the browser closed', () => {
	/** As a browser does when the disk fails or the site's data is cleared. */
	const lose = (database: BoughDatabase) => forceCloseDatabase(database.backendDB() as never);
	async function setupOpened() {
		const onLost = vi.fn();
		const database = create(new IDBFactory());
		await openDatabase(database, { ...silent, onLost });
		await database.threads.count();
		return { database, onLost };
	}
	const clock = createSteppedClock();
	/** Lets time pass until `done`. */
	async function settle<T>(done: Promise<T>): Promise<T> {
		let isOver = false;
		void done.finally(() => (isOver = true));
		while (!isOver) {
			clock.step(1_000);
			await new Promise((resolve) => setTimeout(resolve));
		}
		return done;
	}

	it('DB-08: a loss is told once, and nothing opens it again by itself', async () => {
		const { database, onLost } = await setupOpened();
		lose(database);
		await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(1));
		await expect(database.threads.count()).rejects.toThrow(Dexie.DatabaseClosedError);
		await expect(database.open()).rejects.toThrow(Dexie.DatabaseClosedError);
		expect([database.isOpen(), onLost.mock.calls.length]).toEqual([false, 1]);
	});

	it('DB-08: a loss that Dexie meets first is told too, and not mended behind our back', async () => {
		const { database, onLost } = await setupOpened();
		// Closed under Dexie, without a word.
		database.backendDB().close();
		await expect(database.threads.count()).rejects.toThrow(Dexie.DatabaseClosedError);
		expect([database.isOpen(), onLost.mock.calls.length]).toEqual([false, 1]);
	});

	it('DB-08: it is opened again when there is room, and not before', async () => {
		const { database, onLost } = await setupOpened();
		const native = database.backendDB();
		lose(database);
		const reopen = vi.spyOn(database, 'reopen');
		const onFailure = vi.fn();
		const room = [false, false, true];
		const hasRoom = vi.fn(() => Promise.resolve(room.shift() ?? true));
		expect(await settle(reopenDatabase(database, { clock, signal: new AbortController().signal, onFailure, hasRoom }))).toBe(true);
		expect(onFailure.mock.calls.map(([failure]) => failure.code)).toEqual(['storage-full', 'storage-full']);
		expect([reopen.mock.calls.length, hasRoom.mock.calls.length, database.isOpen()]).toEqual([1, 3, true]);
		expect(database.backendDB()).not.toBe(native);
		expect(await database.threads.count()).toBe(0);
		// And the next loss is told as the first was.
		lose(database);
		await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(2));
	});

	it('DB-08: an attempt that fails is told and followed by another, until it is called off', async () => {
		const { database } = await setupOpened();
		lose(database);
		vi.spyOn(database, 'reopen').mockRejectedValue(named('UnknownError'));
		const over = new AbortController();
		const onFailure = vi.fn(() => onFailure.mock.calls.length === 3 && over.abort());
		const options = { clock, signal: over.signal, onFailure, hasRoom: () => Promise.resolve(true) };
		expect(await settle(reopenDatabase(database, options))).toBe(false);
		expect(onFailure).toHaveBeenCalledTimes(3);
		expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ code: 'storage-failed' }));
	});

	it('DB-08: a newer Bough may have come meanwhile: nothing is opened any more', async () => {
		const { database } = await setupOpened();
		lose(database);
		vi.spyOn(database, 'storedVersion').mockResolvedValue(7);
		const onFailure = vi.fn();
		const options = { clock, signal: new AbortController().signal, onFailure, hasRoom: () => Promise.resolve(true) };
		expect(await settle(reopenDatabase(database, options))).toBe(false);
		expect(onFailure.mock.calls.map(([failure]) => failure.code)).toEqual(['storage-outdated']);
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
