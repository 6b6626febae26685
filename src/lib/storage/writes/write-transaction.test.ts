import Dexie from 'dexie';
import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import type { NodeContent } from '#lib/core/domain/nodes.ts';
import type { WriteDeps } from './write-transaction.ts';
import { createSteppedClock, question, setupDatabase, setupWriter, threadRow } from '../test-database.ts';
import { beginEpoch } from './lead.ts';
import { appendTables, FencedError, writeTransaction } from './write-transaction.ts';

async function setupThread(deps: WriteDeps, id = 't') {
	await writeTransaction(deps, ['threads'], (unit) => Promise.resolve(unit.putThread(threadRow(id))));
}

const append = (deps: WriteDeps, id: string, parentId: string | null, threadId = 't') =>
	writeTransaction(deps, appendTables, (unit) => unit.append(threadId, { id, parentId, content: question(id) }));

describe('a write', () => {
	it('DB-20: all or nothing, the thread and the clock with it', async () => {
		const deps = await setupWriter();
		await setupThread(deps);
		await append(deps, 'a', null);
		const before = [await deps.database.threads.toArray(), await deps.database.nodes.toArray(), await deps.database.device.toArray()];
		const failing = writeTransaction(deps, appendTables, async (unit) => {
			await unit.append('t', { id: 'b', parentId: 'a', content: question('b') });
			throw new RangeError('planted');
		});
		await expect(failing).rejects.toThrow(RangeError);
		expect([await deps.database.threads.toArray(), await deps.database.nodes.toArray(), await deps.database.device.toArray()]).toEqual(
			before
		);
	});

	it('DB-20: a table that was not asked for cannot be written', async () => {
		const deps = await setupWriter();
		await expect(writeTransaction(deps, ['threads'], (unit) => unit.database.runs.delete('r'))).rejects.toThrow(Dexie.errnames.NotFound);
	});

	it('DB-21: each leader raises the epoch, and a leader of the past writes nothing', async () => {
		const old = await setupWriter();
		await setupThread(old);
		const newDeviceId = vi.fn(() => '00000000000000bb');
		const epoch = await beginEpoch(old.database, () => ({ deviceId: newDeviceId(), epoch: 0 }));
		expect([old.epoch, epoch, newDeviceId.mock.calls.length]).toEqual([1, 2, 0]);
		await expect(writeTransaction(old, ['threads'], () => Promise.resolve())).rejects.toThrow(FencedError);
		await expect(append(old, 'a', null)).rejects.toThrow(FencedError);
		// Nothing that it does counts: not a write of its own, not even an error.
		await expect(writeTransaction(old, ['runs'], (unit) => unit.database.runs.clear())).rejects.toThrow(FencedError);
		await expect(writeTransaction(old, ['threads'], () => Promise.reject(new Error('of the past')))).rejects.toThrow(FencedError);
		expect(await old.database.nodes.count()).toBe(0);
		await append({ ...old, epoch }, 'a', null);
		expect(await old.database.nodes.count()).toBe(1);
	});

	it('DB-21: without a device row nothing is written at all', async () => {
		const deps = await setupWriter();
		await deps.database.device.clear();
		await expect(setupThread(deps)).rejects.toThrow(FencedError);
	});

	it('DB-21: the epochs of a new device begin after those of a database that was cleared', async () => {
		const old = await setupWriter();
		await old.database.device.clear();
		const epoch = await beginEpoch(old.database, () => ({ deviceId: '00000000000000bb', epoch: 1_000 }));
		expect(epoch).toBe(1_001);
		await expect(setupThread(old)).rejects.toThrow(FencedError);
		expect(await beginEpoch(old.database, () => ({ deviceId: 'unused', epoch: 5_000 }))).toBe(1_002);
	});

	it('DB-22: seq comes from the thread, without holes, also when many write at once', async () => {
		const deps = await setupWriter();
		await setupThread(deps);
		await setupThread(deps, 'other');
		await append(deps, 'root', null);
		await Promise.all(Array.from({ length: 20 }, (_, n) => append(deps, `n${n}`, 'root')));
		await append(deps, 'stranger', null, 'other');
		const nodes = await deps.database.nodes.where('threadId').equals('t').sortBy('seq');
		expect(nodes.map((node) => node.seq)).toEqual(Array.from({ length: 21 }, (_, n) => n + 1));
		expect((await deps.database.nodes.get('stranger'))?.seq).toBe(1);
		expect((await deps.database.threads.get('t'))?.lastSeq).toBe(21);
	});

	it('DB-22: many nodes at once get the places that one by one would give', async () => {
		const [one, many] = [await setupWriter(), await setupWriter()];
		const nodes = [
			{ id: 'a', parentId: null, content: question('a') },
			{ id: 'b', parentId: 'a', content: question('b') },
			{ id: 'c', parentId: 'a', content: question('c') },
			{ id: 'd', parentId: 'b', content: question('d') },
			{ id: 'e', parentId: null, content: question('e') }
		];
		for (const deps of [one, many]) await setupThread(deps);
		for (const node of nodes) await append(one, node.id, node.parentId);
		await writeTransaction(many, appendTables, (unit) => unit.appendAll('t', nodes.slice(0, 2)));
		await writeTransaction(many, appendTables, (unit) => unit.appendAll('t', nodes.slice(2)));
		const places = async (deps: WriteDeps) =>
			(await deps.database.nodes.toArray()).map(({ ord, ...place }) => ({ ...place, hasOrd: ord !== '' }));
		expect(await places(many)).toEqual(await places(one));
		expect((await many.database.threads.get('t'))?.lastSeq).toBe(5);
	});

	it('DB-23: stamps grow while the clock goes back, and the last one is durable', async () => {
		const clock = createSteppedClock();
		const deps = await setupWriter(clock);
		await setupThread(deps);
		const stamps: string[] = [];
		for (const [id, parentId] of [
			['a', null],
			['b', 'a'],
			['c', 'a']
		] as const) {
			stamps.push((await append(deps, id, parentId)).ord);
			clock.jump(-3_600_000);
		}
		expect(stamps).toEqual([...stamps].sort());
		expect(new Set(stamps).size).toBe(3);
		expect((await deps.database.device.get('self'))?.lastStamp).toBe(stamps.at(-1));
		await deps.database.nodes.update('a', { ord: `zzzzzzzzz-0000-00000000000000ff` });
		expect((await append(deps, 'far', 'a')).ord > 'zzzzzzzzz-0000').toBe(true);
	});

	it('DB-24: a parent is a node of the same thread that exists', async () => {
		const deps = await setupWriter();
		await setupThread(deps);
		await setupThread(deps, 'other');
		await append(deps, 'a', null);
		await expect(append(deps, 'b', 'nobody')).rejects.toThrow('a parent is a node of the same thread');
		await expect(append(deps, 'b', 'a', 'other')).rejects.toThrow('a parent is a node of the same thread');
		await expect(append(deps, 'b', null, 'nobody')).rejects.toThrow('a thread that exists');
		await expect(append(deps, 'a', null)).rejects.toThrow(Dexie.errnames.Constraint);
		expect(await deps.database.nodes.count()).toBe(1);
	});

	it('DB-27: what is not what its type promises is stored whole, as unknown', async () => {
		const deps = await setupWriter();
		await setupThread(deps);
		// As a damaged original gives it to a copy, or a newer version to an import.
		const broken = { type: 'user_message', payload: { content: 'words' } } as unknown as NodeContent;
		await writeTransaction(deps, appendTables, (unit) => unit.append('t', { id: 'a', parentId: null, content: broken }));
		expect(await deps.database.nodes.get('a')).toMatchObject({
			type: 'unknown',
			payload: { originalType: 'user_message', raw: { content: 'words' } }
		});
	});

	it('DB-25: a field that sync will merge is stamped later than what it replaces, the others are not', async () => {
		const deps = await setupWriter();
		await setupThread(deps);
		const set = (fields: { title?: string; pinned?: 1 }) =>
			writeTransaction(deps, ['threads'], async (unit) => {
				const thread = await unit.thread('t');
				if (thread) unit.setSynced(thread, fields);
			});
		await set({ title: 'a' });
		const first = (await deps.database.threads.get('t'))?.stamps;
		await set({ title: 'b', pinned: 1 });
		const second = (await deps.database.threads.get('t'))?.stamps;
		expect(Object.keys(first ?? {})).toEqual(['title']);
		expect(Object.keys(second ?? {}).sort()).toEqual(['pinned', 'title']);
		expect(String(second?.title) > String(first?.title)).toBe(true);
		expect(await deps.database.threads.get('t')).toMatchObject({ title: 'b', pinned: 1 });
	});
});

/** A writer whose last write left its rows in the memory: thread `t` with the nodes `a` and `b`. */
async function setupRemembering(factory = new IDBFactory()) {
	const database = await setupDatabase(factory, 'shared');
	const deps: WriteDeps = {
		database,
		clock: createSteppedClock(),
		epoch: await beginEpoch(database, () => ({ deviceId: '00000000000000aa', epoch: 0 }))
	};
	await setupThread(deps);
	await append(deps, 'a', null);
	await append(deps, 'b', 'a');
	return deps;
}

/** What any append must have kept, however it knew it. */
async function checkSeqs(deps: WriteDeps, ids: readonly string[]) {
	const nodes = await deps.database.nodes.where('threadId').equals('t').sortBy('seq');
	expect(nodes.map(({ id, seq }) => [id, seq])).toEqual(ids.map((id, at) => [id, at + 1]));
	expect((await deps.database.threads.get('t'))?.lastSeq).toBe(ids.length);
	expect((await deps.database.device.get('self'))?.lastStamp).toBe(nodes.at(-1)?.ord);
}

describe('the memory of the last write', () => {
	it('DB-26: places come out as if everything had been read', async () => {
		const deps = await setupRemembering();
		await append(deps, 'c', 'b');
		await append(deps, 'd', 'b');
		await append(deps, 'e', 'd');
		await checkSeqs(deps, ['a', 'b', 'c', 'd', 'e']);
		const places = await deps.database.nodes.toArray();
		expect(places.map(({ id, depth, segmentId }) => [id, depth, segmentId])).toEqual([
			['a', 0, 'a'],
			['b', 1, 'a'],
			['c', 2, 'a'],
			['d', 2, 'd'],
			['e', 3, 'd']
		]);
	});

	it.each([
		['its work throws', (deps: WriteDeps) => failAfterAppend(deps, () => Promise.reject(new RangeError('planted')))],
		['a row is refused', (deps: WriteDeps) => append(deps, 'a', 'b')],
		[
			'the browser gives its transaction up',
			(deps: WriteDeps) => failAfterAppend(deps, () => Promise.resolve(Dexie.currentTransaction.abort()))
		]
	])('DB-26: nothing of a write is remembered when %s', async (_how, fail) => {
		const deps = await setupRemembering();
		await expect(fail(deps)).rejects.toThrow();
		await append(deps, 'c', 'b');
		await expect(append(deps, 'd', 'lost')).rejects.toThrow('a parent is a node of the same thread');
		await checkSeqs(deps, ['a', 'b', 'c']);
	});

	it('DB-26: a write that begins while another is at work reads what that one leaves', async () => {
		const deps = await setupRemembering();
		const failing = failAfterAppend(deps, () => Promise.reject(new RangeError('planted')));
		await Promise.all([
			append(deps, 'c', 'b'),
			expect(failing).rejects.toThrow(RangeError),
			append(deps, 'd', 'b'),
			append(deps, 'e', 'a')
		]);
		await append(deps, 'f', 'e');
		await checkSeqs(deps, ['a', 'b', 'c', 'd', 'e', 'f']);
	});

	it('DB-26: what is written past it counts, inside a write and outside', async () => {
		const deps = await setupRemembering();
		await deps.database.threads.update('t', { lastSeq: 0 });
		await deps.database.nodes.clear();
		await append(deps, 'x', null);
		await checkSeqs(deps, ['x']);
		await writeTransaction(deps, appendTables, async (unit) => {
			await unit.append('t', { id: 'y', parentId: 'x', content: question('y') });
			await unit.database.nodes.update('x', { ord: 'zzzzzzzzz-0000-00000000000000ff' });
		});
		expect((await append(deps, 'z', 'x')).ord > 'zzzzzzzzz-0000').toBe(true);
		await writeTransaction(deps, appendTables, async (unit) => {
			expect(await unit.thread('t')).toMatchObject({ lastSeq: 3 });
			await unit.database.threads.delete('t');
		});
		await expect(append(deps, 'late', 'z')).rejects.toThrow('a thread that exists');
	});

	it('DB-26: what a write behind it writes past it counts too', async () => {
		const deps = await setupRemembering();
		const moved = threadRow('t', { title: 'moved', lastSeq: 7 });
		await Promise.all([append(deps, 'c', 'b'), writeTransaction(deps, ['threads'], (unit) => unit.database.threads.put(moved))]);
		expect((await append(deps, 'd', 'c')).seq).toBe(8);
		expect(await deps.database.threads.get('t')).toEqual({ ...moved, lastSeq: 8 });
	});

	it('DB-26: a write of other tables leaves it alone', async () => {
		const deps = await setupRemembering();
		await writeTransaction(deps, ['inflight'], (unit) => unit.database.inflight.delete('t'));
		const read = vi.spyOn(deps.database.threads, 'get');
		await append(deps, 'c', 'b');
		expect(read).not.toHaveBeenCalled();
	});

	it('DB-21: a leader of the past that remembers writes nothing', async () => {
		const factory = new IDBFactory();
		const old = await setupRemembering(factory);
		const database = await setupDatabase(factory, 'shared');
		const next: WriteDeps = {
			database,
			clock: createSteppedClock(),
			epoch: await beginEpoch(database, () => ({ deviceId: '00000000000000bb', epoch: 0 }))
		};
		await expect(append(old, 'late', 'b')).rejects.toThrow(FencedError);
		await append(next, 'c', 'b');
		await expect(append(old, 'late', 'b')).rejects.toThrow(FencedError);
		await checkSeqs(next, ['a', 'b', 'c']);
	});

	it('DB-26: a clock that is not the remembered one takes everything back, and the next write reads', async () => {
		const factory = new IDBFactory();
		const deps = await setupRemembering(factory);
		const stranger = await setupDatabase(factory, 'shared');
		await stranger.device.update('self', { lastStamp: 'yyyyyyyyy-0000-00000000000000aa' });
		await expect(append(deps, 'c', 'b')).rejects.toThrow('only this connection moves the clock');
		expect(await deps.database.nodes.toCollection().primaryKeys()).toEqual(['a', 'b']);
		await append(deps, 'd', 'b');
		await checkSeqs(deps, ['a', 'b', 'd']);
	});
});

function failAfterAppend(deps: WriteDeps, fail: () => Promise<unknown>) {
	return writeTransaction(deps, appendTables, async (unit) => {
		await unit.append('t', { id: 'lost', parentId: 'b', content: question('lost') });
		await fail();
	});
}
