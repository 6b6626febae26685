import { it, expect } from 'vitest';
import { setupDatabase, threadRow, treeNode } from '#lib/storage/test-database.ts';
import { readThreadView } from '#lib/storage/queries/thread-view.ts';
it('x', async () => {
	const database = await setupDatabase();
	await database.threads.bulkAdd([threadRow('empty'), threadRow('t', { leafId: 'gone' })]);
	await database.nodes.add(treeNode('q', null, { ord: '1', forkSegmentId: 'root' }));
	for (const id of ['empty', 't']) await readThreadView(database, id, { endId: null, limit: 5 }).then((v) => console.log(id, v?.nodes.length), (e) => console.log(id, e.name));
	expect(1).toBe(1);
});
