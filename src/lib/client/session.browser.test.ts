import { expect, test } from 'vitest';
import { newThread } from '#lib/core/domain/threads.ts';
import { newId } from '#lib/platform/ids.ts';
import { startSession } from './session.ts';

/** A worker that never says a word. */
const silentWorker = () => new Worker(URL.createObjectURL(new Blob([''], { type: 'text/javascript' })));

test('VIEW-09 reads that begin before the database is open wait for it', async () => {
	const session = startSession({ databaseName: `session-${newId()}`, createWorker: silentWorker });
	const counts: number[] = [];
	const stop = session.watch(
		(database) => database.threads.count(),
		(count) => counts.push(count),
		(failure) => expect.unreachable(failure.code)
	);
	expect(await session.read((database) => database.nodes.count())).toBe(0);
	await expect.poll(() => counts).toEqual([0]);
	stop();
	session.close();
});

test('VIEW-09 a database that cannot be opened is told to every read, and none answers as if it were empty', async () => {
	const name = `session-${newId()}`;
	// A database of a much newer version.
	const opening = indexedDB.open(name, 990);
	await new Promise((resolve) => (opening.onsuccess = resolve));
	opening.result.close();
	const session = startSession({ databaseName: name, createWorker: silentWorker });
	const failures: string[] = [];
	session.watch(
		(database) => database.threads.count(),
		() => expect.unreachable('a count of nothing'),
		(failure) => failures.push(failure.code)
	);
	await expect.poll(() => failures).toEqual(['storage-outdated']);
	await expect(session.read((database) => database.threads.count())).rejects.toThrow('storage-outdated');
	session.close();
});

test('VIEW-15 a connection that the browser closed comes back, and every live read with it', async () => {
	const name = `session-${newId()}`;
	const session = startSession({ databaseName: name, createWorker: silentWorker });
	const counts: number[] = [];
	const troubles: (string | null)[] = [];
	session.onStorageTrouble((trouble) => troubles.push(trouble?.code ?? null));
	session.watch(
		(database) => database.threads.count(),
		(count) => counts.push(count),
		(failure) => expect.unreachable(failure.code)
	);
	await expect.poll(() => counts).toEqual([0]);
	await session.read(async (database) => database.backendDB().dispatchEvent(new Event('close')));
	await expect(session.read((database) => database.threads.count())).rejects.toThrow();
	await expect.poll(() => counts).toEqual([0, 0]);
	expect(await session.read((database) => database.threads.count())).toBe(0);
	expect(troubles).toEqual([null, null]);
	// What changes afterwards is seen.
	await session.read((database) => database.threads.add(newThread(newId(), 1)));
	await expect.poll(() => counts.at(-1)).toBe(1);
	session.close();
});

/** A worker that lives as ours do, and ends without a word after `lifeMs`; null: never. */
function mortalWorker(lifeMs: number | null): Worker {
	const script = `onmessage = ({ data }) => {
		if (data.kind !== 'start') return;
		navigator.locks.request(data.lifeLock, () => {
			postMessage({ kind: 'living' });
			if (${lifeMs} !== null) setTimeout(() => close(), ${lifeMs});
			return new Promise(() => {});
		});
	}`;
	return new Worker(URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
}

test('VIEW-14 a worker that ends without a word is noticed, and another takes its place', async () => {
	let started = 0;
	const session = startSession({ databaseName: `session-${newId()}`, createWorker: () => mortalWorker(started++ === 0 ? 20 : null) });
	await expect.poll(() => started).toBe(2);
	expect(session.engine.state.kind).toBe('starting');
	session.close();
});

test('VIEW-14 when every worker dies the person is asked, and ending one on purpose is no death', async () => {
	let started = 0;
	const session = startSession({
		databaseName: `session-${newId()}`,
		createWorker() {
			started++;
			return mortalWorker(5);
		}
	});
	await expect.poll(() => session.engine.state).toEqual({ kind: 'failed', code: 'engine-crashed' });
	expect(started).toBe(4);
	session.engine.start();
	session.engine.stop();
	await new Promise((resolve) => setTimeout(resolve, 200));
	expect(started).toBe(5);
	session.close();
});
