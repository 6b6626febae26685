import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVisible } from './nodes.ts';
import { placeUnder } from './place.ts';
import { choicesFor, randomTree, treeFrom, type NodeStep } from './test-trees.ts';
import { deepestDescendant, logicalChildren, logicalParent, logicalSiblings, pathTo, reachesRoot, treeOf, type TreeEntry } from './tree.ts';

/** `a<b<c` hangs c under b under a; `-x` is a tombstone, `~x` is transparent. Seq is the order of writing. */
function drawn(...chains: readonly string[]): TreeEntry[] {
	const entries = new Map<string, TreeEntry>();
	for (const chain of chains) {
		let parentId: string | null = null;
		for (const word of chain.split('<')) {
			const id = word.replace(/^[-~]/, '');
			if (!entries.has(id)) {
				const type = word.startsWith('~') ? 'turn_context' : 'user_message';
				entries.set(id, { id, parentId, seq: entries.size + 1, type, ...(word.startsWith('-') ? { deleted: true } : {}) });
			}
			parentId = id;
		}
	}
	return [...entries.values()];
}

const ids = (nodes: readonly TreeEntry[]) => nodes.map((node) => node.id).join(' ');

describe('children and paths', () => {
	it('TREE-01: children come from parent pointers alone, whatever the order of the nodes', () => {
		fc.assert(
			fc.property(
				randomTree.chain((nodes) => fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: nodes.length }))),
				([nodes, shuffled]) => {
					const tree = treeOf(shuffled);
					for (const parentId of [null, ...nodes.map((node) => node.id)]) {
						const expected = nodes.filter((node) => node.parentId === parentId);
						expect(tree.childrenByParentId.get(parentId) ?? []).toEqual(expected);
					}
				}
			)
		);
	});

	it('TREE-01: the first of two nodes of one id counts, and equal seqs are told apart by id', () => {
		const tree = treeOf([...drawn('a<b'), { id: 'b', parentId: null, seq: 9, type: 'user_message' as const }]);
		expect(ids(tree.childrenByParentId.get(null) ?? [])).toBe('a');
		const twins = ['z', 'y'].map((id) => ({ id, parentId: 'a', seq: 2, type: 'user_message' as const }));
		expect(ids(treeOf(twins).childrenByParentId.get('a') ?? [])).toBe('y z');
	});

	it('TREE-04: the path is root first, tombstones and all, and stops where a parent is missing', () => {
		const tree = treeOf(drawn('a<-b<~c<d', 'a<e'));
		expect(ids(pathTo(tree, 'd'))).toBe('a b c d');
		expect(pathTo(tree, null)).toEqual([]);
		expect(pathTo(tree, 'nobody')).toEqual([]);
		expect(ids(pathTo(treeOf(drawn('a<b<c').slice(1)), 'c'))).toBe('b c');
	});

	it('TREE-05: a cursor reaches a root, or it does not', () => {
		const nodes = drawn('a<b<c');
		expect([null, 'a', 'c', 'nobody'].map((id) => reachesRoot(treeOf(nodes), id))).toEqual([true, true, true, false]);
		expect(reachesRoot(treeOf(nodes.slice(1)), 'c')).toBe(false);
	});
});

describe('versions of a message', () => {
	it('TREE-06: an edit is a version although a turn context stands before each question', () => {
		const tree = treeOf(drawn('q<a<~x<q2<a2', 'a<~y<q3', '~z<other'));
		expect(ids(logicalSiblings(tree, 'q2'))).toBe('q2 q3');
		expect(ids(logicalSiblings(tree, 'q'))).toBe('q other');
		expect(logicalParent(tree, 'q3')?.id).toBe('a');
		expect(logicalParent(tree, 'other')).toBeNull();
	});

	it('TREE-06: the children of a tombstone count as those of the one before it', () => {
		const tree = treeOf(drawn('q<-a<-b<c', 'a<~x<d', 'q<e'));
		expect(ids(logicalChildren(tree, 'q'))).toBe('c d e');
		expect(ids(logicalSiblings(tree, 'd'))).toBe('c d e');
		expect(logicalParent(tree, 'c')?.id).toBe('q');
	});

	it('TREE-06: every visible node is among its own versions, each of which has the same ones', () => {
		fc.assert(
			fc.property(randomTree, (nodes) => {
				const tree = treeOf(nodes);
				for (const node of nodes.filter(isVisible)) {
					const siblings = logicalSiblings(tree, node.id);
					expect(siblings).toContain(node);
					for (const sibling of siblings) expect(logicalSiblings(tree, sibling.id)).toEqual(siblings);
				}
			})
		);
	});
});

describe('descent', () => {
	it('TREE-07: the newest child, unless another one was chosen', () => {
		const tree = treeOf(drawn('q<a<x', 'q<b<y', 'b<z'));
		expect(deepestDescendant(tree, 'q', new Map())).toBe('z');
		expect(deepestDescendant(tree, 'q', new Map([['q', 'a']]))).toBe('x');
		expect(deepestDescendant(tree, 'q', new Map([['b', 'y']]))).toBe('y');
		expect(
			deepestDescendant(
				tree,
				'q',
				new Map([
					['q', 'a'],
					['b', 'y']
				])
			)
		).toBe('x');
		expect(deepestDescendant(tree, 'q', new Map([['q', 'nobody']]))).toBe('z');
	});

	it('TREE-09: a branch of tombstones is no place to go to, and the end climbs to what can be seen', () => {
		const tree = treeOf(drawn('q<a<x', 'q<-b<-y', 'x<~c<-d'));
		expect(deepestDescendant(tree, 'q', new Map())).toBe('x');
		expect(deepestDescendant(tree, 'q', new Map([['q', 'b']]))).toBe('x');
		expect(deepestDescendant(treeOf(drawn('-a<~b')), 'a', new Map())).toBe('a');
	});

	it('TREE-07: the end is below the start, visible, and has nothing visible below it', () => {
		fc.assert(
			fc.property(randomTree, fc.array(fc.nat(1_000)), fc.nat(1_000), (nodes, picks, at) => {
				const tree = treeOf(nodes);
				const start = nodes[at % nodes.length];
				if (!start) return;
				const end = deepestDescendant(tree, start.id, choicesFor(nodes, picks));
				expect(ids(pathTo(tree, end)).split(' ')).toContain(start.id);
				const below = nodes.filter((node) => node.id !== end && ids(pathTo(tree, node.id)).split(' ').includes(end));
				expect(below.filter(isVisible)).toEqual([]);
				const visibleFromStart = nodes.filter((node) => isVisible(node) && ids(pathTo(tree, node.id)).split(' ').includes(start.id));
				expect(isVisible(tree.nodesById.get(end) ?? start)).toBe(visibleFromStart.length > 0);
			})
		);
	});
});

describe('damaged and huge trees', () => {
	const walks = [
		(nodes: readonly TreeEntry[], id: string) => pathTo(treeOf(nodes), id).length,
		(nodes: readonly TreeEntry[], id: string) => reachesRoot(treeOf(nodes), id),
		(nodes: readonly TreeEntry[], id: string) => logicalParent(treeOf(nodes), id)?.id,
		(nodes: readonly TreeEntry[], id: string) => logicalChildren(treeOf(nodes), id).length,
		(nodes: readonly TreeEntry[], id: string) => logicalSiblings(treeOf(nodes), id).length,
		(nodes: readonly TreeEntry[], id: string) => deepestDescendant(treeOf(nodes), id, new Map())
	];

	it('TREE-08: parents in a circle, at themselves, or at nobody: every walk ends', () => {
		const entry = fc.record({
			parent: fc.option(fc.nat(12), { nil: null }),
			type: fc.constantFrom('user_message' as const, 'turn_context' as const),
			deleted: fc.boolean()
		});
		fc.assert(
			fc.property(fc.array(entry, { minLength: 1, maxLength: 12 }), fc.nat(11), (entries, at) => {
				const nodes = entries.map(({ parent, type, deleted }, index): TreeEntry => ({
					id: `n${index}`,
					parentId: parent === null ? null : `n${parent}`,
					seq: index,
					type,
					...(deleted ? { deleted } : {})
				}));
				const id = `n${at % nodes.length}`;
				expect(pathTo(treeOf(nodes), id).length).toBeLessThanOrEqual(nodes.length);
				expect(walks.map((walk) => walk(nodes, id)).length).toBe(walks.length);
			})
		);
	});

	it.each([['messages'], ['transparent'], ['tombstones']])('TREE-08: 10,000 %s in one chain', (kind) => {
		const steps = Array.from({ length: 10_000 }, (_, at): NodeStep => ({
			parent: -1,
			kind: kind === 'transparent' && at > 0 ? 'transparent' : 'message',
			isDeleted: kind === 'tombstones' && at > 0,
			isConflicting: false
		}));
		const nodes = treeFrom(steps);
		const [first, last] = ['n0000', nodes.at(-1)?.id ?? ''];
		expect(pathTo(treeOf(nodes), last).length).toBe(10_000);
		expect(reachesRoot(treeOf(nodes), last)).toBe(true);
		expect(logicalParent(treeOf(nodes), last)?.id).toBe(kind === 'messages' ? nodes.at(-2)?.id : first);
		expect(deepestDescendant(treeOf(nodes), first, new Map())).toBe(kind === 'messages' ? last : first);
	});

	it('TREE-08: 200,000 versions of one message', () => {
		const nodes: TreeEntry[] = Array.from({ length: 200_000 }, (_, at) => ({
			id: `n${at}`,
			parentId: at === 0 ? null : 'n0',
			seq: at,
			type: at === 0 ? ('user_message' as const) : ('turn_context' as const)
		}));
		expect(deepestDescendant(treeOf(nodes), 'n0', new Map())).toBe('n0');
		expect(logicalChildren(treeOf(nodes), 'n0')).toEqual([]);
	});
});

describe('places', () => {
	it('TREE-03: the first child goes on with the segment, every other one begins its own', () => {
		const root = placeUnder('a', null, false);
		expect(root).toEqual({ segmentId: 'a', depth: 0, forkSegmentId: 'root' });
		expect(placeUnder('b', root, false)).toEqual({ segmentId: 'a', depth: 1 });
		expect(placeUnder('c', root, true)).toEqual({ segmentId: 'c', depth: 1, forkSegmentId: 'a' });
	});

	it("TREE-03: a depth is a number of ancestors, and a segment is its parent's or its own", () => {
		fc.assert(
			fc.property(randomTree, (nodes) => {
				const tree = treeOf(nodes);
				for (const node of nodes) {
					expect(node.depth).toBe(pathTo(tree, node.id).length - 1);
					const parent = node.parentId === null ? undefined : tree.nodesById.get(node.parentId);
					if (node.segmentId === node.id) expect(node.forkSegmentId).toBe(parent?.segmentId ?? 'root');
					else expect(node.segmentId).toBe(parent?.segmentId);
				}
			})
		);
	});
});
