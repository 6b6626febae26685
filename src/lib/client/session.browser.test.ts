import { expect, test } from 'vitest';
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
