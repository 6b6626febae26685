// The change feed of the observed connection, in a real browser.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Thread } from '#lib/core/domain/threads.ts';
import type { BoughDatabase } from '#lib/storage/database.ts';
import { advanceChangeFeed } from '#lib/storage/observed-database.ts';
import { readThreadView } from '#lib/storage/queries/thread-view.ts';
import { watch } from '#lib/storage/queries/watch.ts';
import { question, threadRow } from '#lib/storage/test-database.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { appendTables, FencedError, writeTransaction, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { newName, openReading, openWriter } from './test-connections.ts';

const open: BoughDatabase[] = [];

afterEach(async () => {
	for (const database of open.splice(0)) {
		database.close();
		await database.delete();
	}
});

async function setupWriter(name = newName()): Promise<WriteDeps> {
	const deps = await openWriter(name);
	open.push(deps.database);
	return deps;
}

const changes = async (deps: WriteDeps) =>
	(await deps.database._changes.orderBy('rev').toArray()).map(({ table, key, type }) => ({ table, key, type }));

const putThread = (deps: WriteDeps, id: string, title: string) =>
	writeTransaction(deps, ['threads'], (unit) => Promise.resolve(unit.putThread(threadRow(id, { title }))));

function append(deps: WriteDeps, threadId: string, id: string, fail?: Error) {
	return writeTransaction(deps, [...appendTables, 'commandReceipts', 'runs', '_secrets'], async (unit) => {
		await unit.append(threadId, { id, parentId: null, content: question(id) });
		await unit.database.table('commandReceipts').add({ id: `receipt ${id}` });
		await unit.database._secrets.add({ id: `secret ${id}`, iv: new Uint8Array(12), ciphertext: new ArrayBuffer(8) });
		if (fail) throw fail;
	});
}

describe('the change feed', () => {
	it('DB-03: one row a changed thread, in the order of the changes, and none for what is not observed', async () => {
		const deps = await setupWriter();
		await putThread(deps, 'a', 'one');
		await append(deps, 'a', 'n1');
		await append(deps, 'a', 'n2');
		await deps.database.threads.delete('a');
		expect(await changes(deps)).toEqual([
			{ table: 'threads', key: 'a', type: 1 },
			{ table: 'threads', key: 'a', type: 2 },
			{ table: 'threads', key: 'a', type: 2 },
			{ table: 'threads', key: 'a', type: 3 }
		]);
		expect([await deps.database.nodes.count(), await deps.database.table('commandReceipts').count()]).toEqual([2, 2]);
		expect(JSON.stringify(await deps.database._changes.toArray())).not.toMatch(/secret|receipt|n1/);
	});

	it('DB-03: a change that is rolled back was never in the feed', async () => {
		const deps = await setupWriter();
		await putThread(deps, 'a', 'one');
		await expect(append(deps, 'a', 'n1', new RangeError('planted'))).rejects.toThrow(RangeError);
		expect(await changes(deps)).toEqual([{ table: 'threads', key: 'a', type: 1 }]);
		expect(await deps.database.nodes.count()).toBe(0);
	});

	it('DB-03: the rows of a write are those that the addon makes of the same changes', async () => {
		const [ours, theirs] = [await setupWriter(), await setupWriter()];
		const first = threadRow('a', { title: 'one', tags: ['x'], source: 'pi', stamps: { title: 's1' } });
		const { source: _source, ...withoutSource } = first;
		const rows: Thread[] = [
			first,
			{ ...first, title: 'two', stats: { ...first.stats, turns: 1 }, stamps: { title: 's2', pinned: 's2' } },
			{ ...first, title: 'two', tags: ['x', 'y'], leafId: 'n1', lastSeq: 1 },
			// Nothing has changed but the arrays themselves.
			{ ...first, title: 'two', tags: ['x', 'y'], leafId: 'n1', lastSeq: 1 },
			{ ...withoutSource, leafId: null },
			threadRow('b'),
			{ ...first, stamps: {} }
		];
		for (const row of rows) {
			await writeTransaction(ours, ['threads'], (unit) => Promise.resolve(unit.putThread(row)));
			await theirs.database.threads.put(row);
		}
		const made = await ours.database._changes.toArray();
		expect(made.length).toBe(rows.length - 1);
		expect(made).toStrictEqual(await theirs.database._changes.toArray());
		expect(await ours.database.threads.toArray()).toStrictEqual(await theirs.database.threads.toArray());
	});

	it('DB-03: a thread that was imported with many nodes is one row', async () => {
		const deps = await setupWriter();
		await writeTransaction(deps, appendTables, async (unit) => {
			expect(await unit.thread('a')).toBeUndefined();
			unit.putThread(threadRow('a'));
			const ids = Array.from({ length: 3_000 }, (_, at) => `n${at}`);
			await unit.appendAll(
				'a',
				ids.map((id, at) => ({ id, parentId: at === 0 ? null : `n${at - 1}`, content: question(id) }))
			);
		});
		expect(await changes(deps)).toEqual([{ table: 'threads', key: 'a', type: 1 }]);
		expect(await readThreadView(deps.database, 'a', { endId: null, limit: 5 })).toMatchObject({ nodes: [], thread: { lastSeq: 3_000 } });
	});

	it('DB-06: what nobody waits for goes, however often it is asked', async () => {
		const deps = await setupWriter();
		for (let round = 0; round < 3; round++) {
			for (let at = 0; at < 20; at++) await putThread(deps, `t${at}`, `round ${round}`);
			await advanceChangeFeed(deps);
			await advanceChangeFeed(deps);
			expect(await deps.database._changes.count()).toBeLessThanOrEqual(1);
		}
		const cursors = await deps.database.table('_syncNodes').where('url').equals('sync:main').toArray();
		expect(cursors).toMatchObject([{ type: 'remote', myRevision: 60 }]);
		await putThread(deps, 't0', 'after');
		expect((await changes(deps)).at(-1)).toEqual({ table: 'threads', key: 't0', type: 2 });
	});

	it('DB-06: an engine that has nothing to do writes nothing', async () => {
		const deps = await setupWriter();
		await putThread(deps, 'a', 'one');
		await advanceChangeFeed(deps);
		const begun = vi.spyOn(IDBDatabase.prototype, 'transaction');
		await new Promise((resolve) => setTimeout(resolve, 2_000));
		expect(begun.mock.calls.filter(([, mode]) => mode === 'readwrite')).toEqual([]);
		begun.mockRestore();
	});

	it('DB-06: a leader of the past does not touch the feed', async () => {
		const deps = await setupWriter();
		await putThread(deps, 'a', 'one');
		await beginEpoch(deps.database, () => ({ deviceId: '00000000000000bb', epoch: 0 }));
		await expect(advanceChangeFeed(deps)).rejects.toThrow(FencedError);
		expect(await deps.database._changes.count()).toBe(1);
	});
});

describe('two kinds of connections', () => {
	it.each([['the tab first'], ['the engine first']])('DB-01: %s: one schema, one version, nobody is asked to reload', async (order) => {
		const name = newName();
		const onOutdated = vi.fn();
		const warn = vi.spyOn(console, 'warn');
		const options = { onOutdated, onBlocked: onOutdated };
		const tabFirst = order === 'the tab first';
		const early = tabFirst ? await openReading(name, options) : null;
		const deps = await openWriter(name, options);
		const tab = early ?? (await openReading(name, options));
		open.push(deps.database, tab);
		await putThread(deps, 'a', 'one');
		await append(deps, 'a', 'n1');
		const third = await openReading(name, options);
		open.push(third);
		expect([deps, { database: tab }, { database: third }].map(({ database }) => database.backendDB().version)).toEqual([10, 10, 10]);
		expect(await tab.threads.get('a')).toMatchObject({ title: 'one', lastSeq: 1 });
		expect((await changes(deps)).length).toBe(2);
		expect(onOutdated).not.toHaveBeenCalled();
		expect(warn).not.toHaveBeenCalled();
		warn.mockRestore();
	});

	it('DB-01: what the engine writes reaches a live read of the tab, and a tab takes no part in the feed', async () => {
		const name = newName();
		const deps = await setupWriter(name);
		const tab = await openReading(name);
		open.push(tab);
		await putThread(deps, 'a', 'one');
		const titles: (string | undefined)[] = [];
		const stop = watch(
			async () => (await tab.threads.get('a'))?.title,
			(title) => titles.push(title),
			(failure) => titles.push(failure.code)
		);
		await expect.poll(() => titles).toEqual(['one']);
		await putThread(deps, 'a', 'two');
		await expect.poll(() => titles).toEqual(['one', 'two']);
		stop();
		const nodesBefore = await deps.database.table('_syncNodes').count();
		open.push(await openReading(name));
		expect(await deps.database.table('_syncNodes').count()).toBe(nodesBefore);
		expect('_changes' in tab && tab.tables.some((table) => table.name === '_changes')).toBe(true);
	});

	it('DB-01: a live read of the tab sees what a write changes, by whatever index it asks', async () => {
		const name = newName();
		const deps = await setupWriter(name);
		await putThread(deps, 'a', 'one');
		await putThread(deps, 'b', 'one');
		const tab = await openReading(name);
		open.push(tab);
		const queries = {
			newest: async () => (await tab.nodes.where('[threadId+seq]').between(['a', 0], ['a', Infinity]).last())?.id,
			ofOther: () => tab.nodes.where('threadId').equals('b').count(),
			tagged: () => tab.threads.where('tags').equals('red').primaryKeys(),
			inOrder: () => tab.threads.orderBy('updatedAt').primaryKeys(),
			receipts: () => tab.commandReceipts.count()
		};
		const seen: Record<string, unknown> = {};
		const stops = Object.entries(queries).map(([key, query]) =>
			watch<unknown>(
				query,
				(value) => (seen[key] = value),
				(failure) => (seen[key] = failure.code)
			)
		);
		await expect.poll(() => seen).toEqual({ newest: undefined, ofOther: 0, tagged: [], inOrder: ['a', 'b'], receipts: 0 });
		await append(deps, 'a', 'n1');
		await expect.poll(() => seen).toEqual({ newest: 'n1', ofOther: 0, tagged: [], inOrder: ['a', 'b'], receipts: 1 });
		await append(deps, 'a', 'n2');
		await writeTransaction(deps, ['threads'], async (unit) => {
			const thread = await unit.thread('a');
			if (thread) unit.putThread({ ...thread, tags: ['blue', 'red'], updatedAt: 99 });
		});
		await expect.poll(() => seen).toEqual({ newest: 'n2', ofOther: 0, tagged: ['a'], inOrder: ['b', 'a'], receipts: 2 });
		await writeTransaction(deps, ['threads'], async (unit) => {
			const thread = await unit.thread('a');
			if (thread) unit.putThread({ ...thread, tags: ['blue'], updatedAt: 0 });
		});
		await expect.poll(() => seen).toEqual({ newest: 'n2', ofOther: 0, tagged: [], inOrder: ['a', 'b'], receipts: 2 });
		for (const stop of stops) stop();
	});

	it('DB-26: an append after an append asks for the fence and for nothing else', async () => {
		const deps = await setupWriter();
		await putThread(deps, 'a', 'one');
		const appendUnder = (id: string, parentId: string | null) =>
			writeTransaction(deps, appendTables, (unit) => unit.append('a', { id, parentId, content: question(id) }));
		await appendUnder('n1', null);
		const asked: string[] = [];
		const spies = (['get', 'getAll', 'getAllKeys', 'count', 'openCursor', 'openKeyCursor'] as const).map((method) => {
			const ask = IDBObjectStore.prototype[method];
			return vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (this: IDBObjectStore, ...args: unknown[]) {
				// The addon looks at its own tables whenever it likes.
				if (!this.name.startsWith('_')) asked.push(`${method} ${this.name}`);
				return Reflect.apply(ask, this, args) as never;
			});
		});
		await appendUnder('n2', 'n1');
		expect(asked).toEqual(['get device']);
		for (const spy of spies) spy.mockRestore();
		expect((await deps.database.nodes.toArray()).map(({ seq, depth, segmentId }) => [seq, depth, segmentId])).toEqual([
			[1, 0, 'n1'],
			[2, 1, 'n1']
		]);
	});

	it('DB-21: a leader of the past that remembers its last write is fenced out by another connection', async () => {
		const name = newName();
		const old = await setupWriter(name);
		await putThread(old, 'a', 'one');
		await append(old, 'a', 'n1');
		const next = await setupWriter(name);
		expect([old.epoch, next.epoch]).toEqual([1, 2]);
		await expect(append(old, 'a', 'late')).rejects.toThrow(FencedError);
		await append(next, 'a', 'n2');
		await expect(append(old, 'a', 'late')).rejects.toThrow(FencedError);
		expect((await next.database.nodes.toArray()).map(({ id, seq }) => [id, seq])).toEqual([
			['n1', 1],
			['n2', 2]
		]);
		expect((await changes(next)).length).toBe(3);
	});
});
