import { expect, it } from 'vitest';
import { readThreadView, type ThreadView } from '#lib/storage/queries/thread-view.ts';
import { watch } from '#lib/storage/queries/watch.ts';
import { threadRow, treeNode } from '#lib/storage/test-database.ts';
import { newName, openReading } from './test-connections.ts';

it('DB-13: a cursor that names nothing is read in one transaction, also by a live read and where cursors are real', async () => {
	const database = await openReading(newName());
	await database.threads.put(threadRow('t', { leafId: 'gone', lastSeq: 3 }));
	await database.nodes.bulkPut([
		treeNode('a', null, { ord: '1' }),
		treeNode('b', 'a', { ord: '2', depth: 1 }),
		treeNode('c', 'b', { ord: '3', depth: 2, deleted: true })
	]);
	const views: (ThreadView | null)[] = [];
	const failures: string[] = [];
	const stop = watch(
		() => readThreadView(database, 't', { endId: null, limit: 10 }),
		(view) => views.push(view),
		(failure) => failures.push(failure.detail)
	);
	await expect.poll(() => [views.length, failures.length].join()).not.toBe('0,0');
	expect(failures).toEqual([]);
	expect(views[0]).toMatchObject({ isDamaged: true, thread: { leafId: 'b' } });
	stop();
	database.close();
});
