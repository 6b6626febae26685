// The reads that jump over segments, held against the laws over the whole tree. fast-check prints the seed of a tree that
// tells them apart.
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { choicesFor, randomTree, treeFrom, type NodeStep } from '#lib/core/domain/test-trees.ts';
import { deepestDescendant, logicalChildren, logicalSiblings, pathTo, treeOf } from '#lib/core/domain/tree.ts';
import type { BoughDatabase } from '../database.ts';
import { setupDatabase, threadRow, treeNode } from '../test-database.ts';
import { findDeepestLeaf } from './descend.ts';
import { readLeafId } from './leaf.ts';
import { readPathBelow, readPathWindow } from './path-window.ts';
import { readBeside, readLogicalChildren } from './siblings.ts';

// Hundreds of trees each: a slow machine is given its time.
vi.setConfig({ testTimeout: 120_000 });

const at = fc.nat(1_000);
const limit = fc.integer({ min: 1, max: 70 });

async function storeTree(nodes: readonly TreeNode[]): Promise<BoughDatabase> {
	const database = await setupDatabase();
	await database.nodes.bulkAdd(nodes);
	return database;
}

const pick = (nodes: readonly TreeNode[], index: number): TreeNode => nodes[index % nodes.length] ?? treeNode('nobody', null);
const ids = (nodes: readonly TreeNode[]) => nodes.map((node) => node.id);

/** Nodes whose parents may be anyone, missing, or themselves, with hints that say anything. */
const damagedTree = fc
	.array(
		fc.record({
			parent: fc.option(fc.nat(14), { nil: null }),
			segment: fc.nat(14),
			depth: fc.nat(14),
			isDeleted: fc.boolean(),
			isMessage: fc.boolean()
		}),
		{ minLength: 1, maxLength: 14 }
	)
	.map((rows) =>
		rows.map((row, index) =>
			treeNode(`n${index}`, row.parent === null ? null : `n${row.parent}`, {
				seq: index,
				segmentId: `n${row.segment}`,
				depth: row.depth,
				...(row.isDeleted ? { deleted: true } : {}),
				...(row.isMessage ? {} : { content: { type: 'custom', payload: { customType: 'c' } } })
			})
		)
	);

describe('path windows', () => {
	it('DB-10: a window is the end of the path, conflicting segments or not', async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, at, limit, async (nodes, index, size) => {
				const database = await storeTree(nodes);
				const end = pick(nodes, index);
				const path = pathTo(treeOf(nodes), end.id);
				expect(await readPathWindow(database, 't', end.id, size)).toEqual({
					nodes: path.slice(-size),
					startsAtRoot: path.length <= size,
					isBroken: false
				});
			})
		);
	});

	it('DB-10: wrong hints and damaged links cost reads, never truth', async () => {
		await fc.assert(
			fc.asyncProperty(damagedTree, at, limit, async (nodes, index, size) => {
				const database = await storeTree(nodes);
				const end = pick(nodes, index);
				const path = pathTo(treeOf(nodes), end.id);
				const { nodes: read, startsAtRoot, isBroken } = await readPathWindow(database, 't', end.id, size);
				expect(ids(read)).toEqual(ids(path.slice(-size)));
				expect(startsAtRoot).toBe(path.length <= size && path[0]?.parentId === null);
				expect(isBroken).toBe(path.length < size && path[0]?.parentId !== null);
			})
		);
	});

	it('DB-10: what follows a window is read by the parent chain alone', async () => {
		await fc.assert(
			fc.asyncProperty(fc.oneof(randomTree, damagedTree), at, at, limit, async (nodes, fromIndex, endIndex, size) => {
				const database = await storeTree(nodes);
				const [from, end] = [pick(nodes, fromIndex), pick(nodes, endIndex)];
				const path = ids(pathTo(treeOf(nodes), end.id));
				const place = path.indexOf(from.id);
				const below = place < 0 ? [] : path.slice(place + 1, place + 1 + size);
				expect(ids(await readPathBelow(database, 't', from.id, end.id, size))).toEqual(below);
			})
		);
	});

	it('DB-10: a node that is not there, or of another thread, is a broken window', async () => {
		const database = await storeTree([treeNode('a', null), treeNode('b', 'a', { threadId: 'other' })]);
		const broken = { nodes: [], startsAtRoot: false, isBroken: true };
		expect(await readPathWindow(database, 't', 'nobody', 5)).toEqual(broken);
		expect(await readPathWindow(database, 't', 'b', 5)).toEqual(broken);
		expect(await readPathWindow(database, 'other', 'b', 5)).toMatchObject({ isBroken: true, startsAtRoot: false });
	});

	it('DB-10: a circle inside one segment is a broken window, and ends', async () => {
		const database = await storeTree([
			treeNode('a', 'b', { segmentId: 's', depth: 3 }),
			treeNode('b', 'c', { segmentId: 'o', depth: 9 }),
			treeNode('c', 'a', { segmentId: 's', depth: 5 })
		]);
		const { nodes, ...rest } = await readPathWindow(database, 't', 'a', 50);
		expect([ids(nodes), rest]).toEqual([['c', 'b', 'a'], { startsAtRoot: false, isBroken: true }]);
		expect(await readPathBelow(database, 't', 'c', 'a', 5)).toHaveLength(2);
	});

	it('DB-10: 60 nodes at the end of 10,000 are two reads, and all of them are no recursion', async () => {
		const steps = Array.from({ length: 10_000 }, (): NodeStep => ({ parent: -1, kind: 'message', isDeleted: false, isConflicting: false }));
		const nodes = treeFrom(steps);
		const database = await storeTree(nodes);
		const get = vi.spyOn(database.nodes, 'get');
		const where = vi.spyOn(database.nodes, 'where');
		const end = nodes.at(-1)?.id ?? '';
		expect((await readPathWindow(database, 't', end, 60)).nodes.map((node) => node.depth)).toEqual(
			Array.from({ length: 60 }, (_, n) => 9_940 + n)
		);
		expect([get.mock.calls.length, where.mock.calls.length]).toEqual([1, 1]);
		expect((await readPathWindow(database, 't', end, Number.MAX_SAFE_INTEGER)).nodes.length).toBe(10_000);
		expect(ids(await readPathBelow(database, 't', 'n0000', end, 3))).toEqual(['n0001', 'n0002', 'n0003']);
		expect(await findDeepestLeaf(database, 't', pick(nodes, 0))).toBe(end);
	}, 60_000);
});

describe('siblings', () => {
	it('DB-11: the versions in a window are those of the whole tree', async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, at, limit, async (nodes, index, size) => {
				const database = await storeTree(nodes);
				const window = await readPathWindow(database, 't', pick(nodes, index).id, size);
				const tree = treeOf(nodes);
				const expected = window.nodes
					.filter(isVisible)
					.map((node) => [node.id, ids(logicalSiblings(tree, node.id))] as const)
					.filter(([, siblings]) => siblings.length > 1);
				expect((await readBeside(database, 't', window)).siblingsById).toEqual(new Map(expected));
			})
		);
	});

	it('DB-11: the messages under a message are those of the whole tree', async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, at, async (nodes, index) => {
				const database = await storeTree(nodes);
				const parent = pick(nodes, index);
				expect(await readLogicalChildren(database, parent)).toEqual(ids(logicalChildren(treeOf(nodes), parent.id)));
			})
		);
	});

	it('DB-11: in a damaged tree every version that is named is one, and the reads end', async () => {
		await fc.assert(
			fc.asyncProperty(damagedTree, at, limit, async (nodes, index, size) => {
				const database = await storeTree(nodes);
				const window = await readPathWindow(database, 't', pick(nodes, index).id, size);
				const { siblingsById } = await readBeside(database, 't', window);
				for (const [id, siblings] of siblingsById) {
					expect(siblings).toContain(id);
					expect(new Set(siblings).size).toBe(siblings.length);
				}
				expect([...siblingsById.keys()].filter((id) => !ids(window.nodes).includes(id))).toEqual([]);
			})
		);
	});
});

describe('descent', () => {
	it('DB-12: the leaf under a message is the one that the law names, choices and tombstones included', async () => {
		await fc.assert(
			fc.asyncProperty(randomTree, at, fc.array(at, { maxLength: 12 }), async (nodes, index, picks) => {
				const database = await storeTree(nodes);
				const choices = choicesFor(nodes, picks);
				await database.forkChoices.bulkAdd([...choices].map(([parentId, childId]) => ({ threadId: 't', parentId, childId })));
				const start = pick(nodes, index);
				expect(await findDeepestLeaf(database, 't', start)).toBe(deepestDescendant(treeOf(nodes), start.id, choices));
			}),
			{ numRuns: 300 }
		);
	});

	it('DB-12: two devices that went on with one segment are two branches', async () => {
		const place = { segmentId: 'q', depth: 1 };
		const nodes = [
			treeNode('q', null, { forkSegmentId: 'root', seq: 1 }),
			treeNode('a', 'q', { ...place, seq: 2 }),
			treeNode('b', 'q', { ...place, seq: 3 }),
			treeNode('a2', 'a', { segmentId: 'q', depth: 2, seq: 4 })
		];
		const database = await storeTree(nodes);
		expect(await findDeepestLeaf(database, 't', pick(nodes, 0))).toBe('b');
		await database.forkChoices.add({ threadId: 't', parentId: 'q', childId: 'a' });
		expect(await findDeepestLeaf(database, 't', pick(nodes, 0))).toBe('a2');
	});

	it('DB-12: in a damaged tree the descent ends at a node of it', async () => {
		await fc.assert(
			fc.asyncProperty(damagedTree, at, async (nodes, index) => {
				const database = await storeTree(nodes);
				expect(ids(nodes)).toContain(await findDeepestLeaf(database, 't', pick(nodes, index)));
			})
		);
	});
});

describe('the cursor', () => {
	it('DB-13: where it stands, or else the newest message that can be seen', async () => {
		const database = await storeTree([
			treeNode('a', null, { ord: '1' }),
			treeNode('b', 'a', { ord: '2' }),
			treeNode('c', 'b', { ord: '3', content: { type: 'custom', payload: { customType: 'c' } } }),
			treeNode('d', 'c', { ord: '4', deleted: true }),
			treeNode('x', null, { ord: '9', threadId: 'other' })
		]);
		const leafOf = (leafId: string | null) => readLeafId(database, threadRow('t', { leafId }));
		expect([await leafOf('a'), await leafOf('c'), await leafOf(null)]).toEqual(['a', 'c', null]);
		expect([await leafOf('nobody'), await leafOf('d'), await leafOf('x')]).toEqual(['b', 'b', 'b']);
		expect(await readLeafId(database, threadRow('empty', { leafId: 'nobody' }))).toBeNull();
	});
});
