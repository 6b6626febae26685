import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { outlineNodeOf } from '#lib/core/domain/outline-node.ts';
import { choicesFor, randomTree } from '#lib/core/domain/test-trees.ts';
import { answer, setupDatabase, treeNode } from '../test-database.ts';
import { readBodies, readTreeShape } from './comparison.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('what a comparison is read from', () => {
	it('DB-40: the outline and the choices of one moment, of this thread alone', async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, fc.array(fc.nat(1_000)), async (nodes, picks) => {
				const database = await setupDatabase();
				const choices = choicesFor(nodes, picks);
				await database.nodes.bulkAdd([...nodes, treeNode('stranger', null, { threadId: 'other' })]);
				await database.forkChoices.bulkAdd([...choices].map(([parentId, childId]) => ({ threadId: 't', parentId, childId })));
				await database.forkChoices.add({ threadId: 'other', parentId: 'stranger', childId: 'x' });
				const transactions = vi.spyOn(database, 'transaction');
				expect(await readTreeShape(database, 't')).toEqual({ nodes: nodes.map(outlineNodeOf), choices });
				// The outline's own read is a part of the first.
				expect(transactions.mock.calls[0]?.[1]).toEqual([database.nodes, database.forkChoices]);
			}),
			{ numRuns: 30 }
		);
	});

	it('DB-40: the bodies that are asked for, as a reader can bear them', async () => {
		const database = await setupDatabase();
		const damaged = { ...treeNode('damaged', 'q'), payload: { content: 'no list' } } as never;
		await database.nodes.bulkAdd([
			treeNode('q', null),
			treeNode('a', 'q', { content: answer('said') }),
			damaged,
			treeNode('stranger', null, { threadId: 'other' })
		]);
		const bodies = await readBodies(database, 't', ['a', 'damaged', 'nobody', 'stranger']);
		expect([...bodies.keys()]).toEqual(['a', 'damaged']);
		expect(bodies.get('a')?.payload).toMatchObject({ content: [{ type: 'text', text: 'said' }] });
		expect(bodies.get('damaged')).toMatchObject({ type: 'unknown', payload: { originalType: 'user_message' } });
	});
});
