import { expect, test } from 'vitest';
import { newThread } from '#lib/core/domain/threads.ts';
import { newId } from '#lib/platform/ids.ts';
import { startSession } from '../session.ts';
import { ThreadListState } from './thread-list.svelte.ts';

test('VIEW-33 what was read ahead is given once, to the thread that it is of, and never when it is old', async () => {
	// A worker that never says a word: nothing is written here but by the test.
	const createWorker = () => new Worker(URL.createObjectURL(new Blob([''], { type: 'text/javascript' })));
	const session = startSession({ databaseName: `list-${newId()}`, createWorker });
	const threadId = newId();
	await session.read((database) => database.threads.add(newThread(threadId, 1, { title: 'Ash' })));
	const list = new ThreadListState(session);

	expect(list.takeReadAhead(threadId)).toBeUndefined();
	list.readAhead(threadId);
	expect(list.takeReadAhead(newId())).toBeUndefined();
	list.readAhead(threadId);
	expect((await list.takeReadAhead(threadId))?.thread.title).toBe('Ash');
	expect(list.takeReadAhead(threadId)).toBeUndefined();

	const { now } = performance;
	list.readAhead(threadId);
	performance.now = () => now.call(performance) + 10_000;
	expect(list.takeReadAhead(threadId)).toBeUndefined();
	performance.now = now;

	// One that fails is nobody's unhandled rejection: the read of the opened thread tells.
	session.close();
	list.readAhead(threadId);
	await expect(list.takeReadAhead(threadId)).rejects.toThrow();
});
