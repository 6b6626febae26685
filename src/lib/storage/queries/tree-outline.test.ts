import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { outlineNodeOf } from '#lib/core/domain/outline-node.ts';
import { randomTree } from '#lib/core/domain/test-trees.ts';
import { question, setupDatabase, treeNode } from '../test-database.ts';
import { readQuestionText } from './node-text.ts';
import { readTreeOutline } from './tree-outline.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('the whole tree without its bodies', () => {
	it('DB-30: every node of the thread once, in pages of any size', async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, fc.integer({ min: 1, max: 9 }), async (nodes, size) => {
				const database = await setupDatabase();
				await database.nodes.bulkAdd([...nodes, treeNode('stranger', null, { threadId: 'other' })]);
				expect(await readTreeOutline(database, 't', size)).toEqual(nodes.map(outlineNodeOf));
			}),
			{ numRuns: 40 }
		);
	});

	it('DB-30: rows that share a seq, or have none, are read too', async () => {
		const database = await setupDatabase();
		const { seq: _, ...without } = treeNode('without', null);
		await database.nodes.bulkAdd([
			...Array.from({ length: 7 }, (__, n) => treeNode(`same${n}`, null, { seq: 4 })),
			treeNode('before', null, { seq: 1 }),
			treeNode('after', null, { seq: 9 }),
			without as never
		]);
		expect((await readTreeOutline(database, 't', 3)).map((node) => node.id).sort()).toEqual(
			['after', 'before', ...Array.from({ length: 7 }, (__, n) => `same${n}`), 'without'].sort()
		);
	});

	it('DB-30: the words of a question are read when they are wanted', async () => {
		const database = await setupDatabase();
		await database.nodes.add(treeNode('q', null, { content: question('one\ntwo') }));
		await database.nodes.add(treeNode('c', 'q', { content: { type: 'custom', payload: { customType: 'c' } } }));
		expect([await readQuestionText(database, 'q'), await readQuestionText(database, 'c'), await readQuestionText(database, 'x')]).toEqual([
			'one\ntwo',
			null,
			null
		]);
	});
});
