import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchOf, copiesOf, hasLooseResult, openCalls, otherBranches } from './branches.ts';
import { damageOf } from './damage.ts';
import { labelsByTarget } from './labels.ts';
import { isVisible, readable, type NodeContent, type TreeNode } from './nodes.ts';
import { outlineNodeOf } from './outline-node.ts';
import { withNewIds } from './references.ts';
import { randomTree, treeFrom } from './test-trees.ts';
import { pathTo, reachesRoot, treeOf } from './tree.ts';

const call = (itemId: string): NodeContent => ({ type: 'tool_call', payload: { itemId, toolName: 't', params: {}, level: 'builtin' } });
const result = (itemId: string): NodeContent => ({ type: 'tool_result', payload: { itemId, ok: true, status: 'ok', contentForLlm: [] } });
const label = (targetId: string, text: string | null): NodeContent => ({ type: 'label', payload: { targetId, label: text } });

/** A chain of the contents, each under the one before. */
function chain(contents: readonly NodeContent[]): TreeNode[] {
	const places = treeFrom(contents.map(() => ({ parent: -1, kind: 'message' as const, isDeleted: false, isConflicting: false })));
	return places.map((place, at) => ({ ...place, ...(contents[at] as NodeContent) }));
}

const tree = randomTree.chain((nodes) => fc.tuple(fc.constant(nodes), fc.nat(nodes.length - 1)));

describe('branches', () => {
	it('TREE-14: a branch is all that the walk up from leads through its top, parents first', () => {
		fc.assert(
			fc.property(tree, ([nodes, at]) => {
				const all = treeOf(nodes);
				const top = nodes[at]?.id ?? '';
				const branch = branchOf(all, top).map((node) => node.id);
				const expected = nodes.filter((node) => pathTo(all, node.id).some((above) => above.id === top)).map((node) => node.id);
				expect([...branch].sort()).toEqual(expected.sort());
				for (const node of branchOf(all, top).slice(1)) expect(branch.indexOf(node.parentId ?? '')).toBeLessThan(branch.indexOf(node.id));
			})
		);
	});

	it('TREE-14: the other branches and the one in view are the whole tree, and share nothing', () => {
		fc.assert(
			fc.property(tree, ([nodes, at]) => {
				const all = treeOf(nodes);
				const leafId = nodes[at]?.id ?? '';
				const kept = new Set([...pathTo(all, leafId), ...branchOf(all, leafId)].map((node) => node.id));
				const others = otherBranches(all, leafId).map((node) => node.id);
				expect(others.filter((id) => kept.has(id))).toEqual([]);
				expect(others.length + kept.size).toBe(nodes.length);
			})
		);
	});

	it('TREE-14: a circle and ten thousand in a row end', () => {
		const long = treeFrom(
			Array.from({ length: 10_000 }, () => ({ parent: -1, kind: 'message' as const, isDeleted: false, isConflicting: false }))
		);
		expect(branchOf(treeOf(long), 'n0000')).toHaveLength(10_000);
		const [a, b] = treeFrom([0, 1].map(() => ({ parent: -1, kind: 'message' as const, isDeleted: false, isConflicting: false })));
		if (!a || !b) throw new Error('two nodes');
		expect(branchOf(treeOf([{ ...a, parentId: b.id }, b]), a.id)).toHaveLength(2);
		expect(branchOf(treeOf([a, b]), 'nobody')).toEqual([]);
	});
});

describe('tool calls', () => {
	it('TREE-15: a call is open until its result, whatever stands between, and tombstones do not count', () => {
		const nodes = chain([call('a'), call('b'), result('b'), result('a')]);
		expect(nodes.map((_, at) => [...openCalls(nodes.slice(0, at + 1))])).toEqual([['a'], ['a', 'b'], ['a'], []]);
		expect([...openCalls(nodes.slice(0, 3).map((node) => ({ ...node, deleted: true as const })))]).toEqual([]);
	});

	it('TREE-15: a result whose call was left behind is loose', () => {
		const nodes = chain([call('a'), result('a'), result('b')]);
		expect([hasLooseResult(nodes.slice(0, 2)), hasLooseResult(nodes), hasLooseResult(nodes.slice(1, 2))]).toEqual([false, true, true]);
	});
});

describe('labels', () => {
	it('TREE-16: the newest living label of a message wins, and an empty one takes it away', () => {
		const nodes = chain([call('x'), label('n0000', 'one'), label('n0000', 'two'), label('n0001', 'other'), label('n0001', null)]);
		expect([...labelsByTarget(nodes)]).toEqual([['n0000', 'two']]);
		expect([...labelsByTarget(nodes.map((node) => (node.id === 'n0002' ? { ...node, deleted: true as const } : node)))]).toEqual([
			['n0000', 'one']
		]);
	});
});

describe('copies', () => {
	it('TREE-17: a copy has the living messages in the same shape, and names their originals', () => {
		fc.assert(
			fc.property(tree, ([nodes, at]) => {
				const all = treeOf(nodes);
				const originals = branchOf(all, nodes[at]?.id ?? '');
				let next = 0;
				const copies = copiesOf(originals, { under: 'target', newId: () => `copy${next++}`, labels: new Map() });
				const living = originals.filter((node) => node.deleted !== true);
				expect(copies.map((copy) => copy.copiedFrom.nodeId)).toEqual(living.map((node) => node.id));
				expect(new Set(copies.map((copy) => copy.id)).size).toBe(copies.length);
				const originalOf = new Map(copies.map((copy) => [copy.id, copy.copiedFrom.nodeId]));
				for (const copy of copies) {
					// The nearest living node above, within what was copied.
					const above = pathTo(all, copy.copiedFrom.nodeId)
						.slice(0, -1)
						.findLast((node) => living.includes(node))?.id;
					expect(copy.parentId === 'target' ? undefined : originalOf.get(copy.parentId ?? '')).toBe(above);
				}
			})
		);
	});

	it('TREE-17: names come along, and nothing hangs under a name', () => {
		const nodes = chain([call('x'), label('n0000', 'named'), result('x')]);
		let next = 0;
		const copies = copiesOf(nodes, { under: null, newId: () => `copy${next++}`, labels: labelsByTarget(nodes) });
		expect(copies.map(({ id, parentId, content }) => [id, parentId, content.type])).toEqual([
			['copy0', null, 'tool_call'],
			['copy1', 'copy0', 'tool_result'],
			['copy2', 'copy0', 'label']
		]);
		expect(copies[2]?.content.payload).toEqual({ targetId: 'copy0', label: 'named' });
	});

	it('TREE-13: every payload that names a node names the copy, or nothing', () => {
		const idOf = (id: string) => (id === 'known' ? 'copy' : undefined);
		const answer = { content: [], model: 'm', connectionId: 'c', status: 'complete' } as const;
		const cases: [NodeContent, object][] = [
			[
				{ type: 'assistant_message', payload: { ...answer, continuesNodeId: 'known' } },
				{ ...answer, continuesNodeId: 'copy' }
			],
			[{ type: 'assistant_message', payload: { ...answer, continuesNodeId: 'lost' } }, answer],
			[label('known', 'x'), { targetId: 'copy', label: 'x' }],
			[
				{ type: 'compaction', payload: { summary: 's', tokensBefore: 1, firstKeptEntryId: 'known', throughNodeId: 'lost' } },
				{ summary: 's', tokensBefore: 1, firstKeptEntryId: 'copy' }
			],
			[
				{ type: 'branch_summary', payload: { summary: 's', fromId: 'lost', branchPointId: 'known' } },
				{ summary: 's', fromId: null, branchPointId: 'copy' }
			],
			[{ type: 'custom', payload: { customType: 'c' } }, { customType: 'c' }]
		];
		for (const [content, payload] of cases) expect(withNewIds(content, idOf)).toEqual({ type: content.type, payload });
	});
});

describe('damage', () => {
	it('TREE-19: a sound tree has none, and its cursor stays', () => {
		fc.assert(
			fc.property(tree, ([nodes, at]) => {
				const leaf = nodes[at];
				const thread = { leafId: leaf?.deleted ? null : (leaf?.id ?? null), lastSeq: nodes.length };
				expect(damageOf(treeOf(nodes), thread)).toEqual({
					cutOff: 0,
					doubleSeqs: 0,
					isCursorLost: false,
					leafId: thread.leafId,
					lastSeq: nodes.length
				});
			})
		);
	});

	it('TREE-19: whatever is torn out, the cursor finds a place that a root leads to, if there is one to be seen', () => {
		fc.assert(
			fc.property(tree, fc.array(fc.nat(100), { maxLength: 4 }), fc.boolean(), ([nodes, at], torn, isCircle) => {
				const gone = new Set(torn.map((pick) => nodes[pick % nodes.length]?.id));
				let left = nodes.filter((node) => !gone.has(node.id));
				const last = left.at(-1);
				if (isCircle && last) left = left.map((node) => (node.id === left[0]?.id ? { ...node, parentId: last.id } : node));
				const damaged = treeOf(left);
				const damage = damageOf(damaged, { leafId: nodes[at]?.id ?? null, lastSeq: 0 });
				const reachable = left.filter((node) => isVisible(node) && reachesRoot(damaged, node.id));
				if (damage.isCursorLost && reachable.length > 0) expect(reachable.some((node) => node.id === damage.leafId)).toBe(true);
				expect(damage.leafId === null || damaged.nodesById.has(damage.leafId)).toBe(true);
				expect(damage.lastSeq).toBe(Math.max(0, ...left.map((node) => node.seq)));
				expect(damage.cutOff).toBe(left.filter((node) => isVisible(node) && !reachesRoot(damaged, node.id)).length);
			})
		);
	});
});

describe('payloads', () => {
	it('TREE-20: the outline has them as unknown, like the conversation', () => {
		const [node] = chain([call('a')]);
		for (const type of ['user_message', 'assistant_message', 'tool_result', 'compaction', 'system_notice'] as const)
			expect(outlineNodeOf({ ...node, type, payload: null } as unknown as TreeNode)).toMatchObject({
				type: 'unknown',
				line: '',
				name: type
			});
	});

	it('TREE-20: what is not as its type promises is unknown and whole; what is stays the same node', () => {
		const sound = chain([call('a'), result('a'), label('n0000', 'x'), { type: 'user_message', payload: { content: [] } }]);
		for (const node of sound) expect(readable(node)).toBe(node);
		const noBlocks = [{ content: [null] }, { content: [{ type: 'text' }] }, { contentForLlm: ['a text'] }];
		for (const payload of [undefined, null, 7, {}, { content: 'text' }, { contentForLlm: {} }, { summary: 1 }, ...noBlocks]) {
			for (const type of ['user_message', 'assistant_message', 'tool_result', 'compaction', 'system_notice'] as const) {
				const broken = { ...sound[0], type, payload } as unknown as TreeNode;
				expect(readable(broken)).toMatchObject({ id: 'n0000', type: 'unknown', payload: { originalType: type, raw: payload ?? null } });
			}
		}
		const newer = { ...sound[0], type: 'hologram', payload: { beam: 1 } } as unknown as TreeNode;
		expect(readable(newer)).toBe(newer);
		const namedLikeAProperty = { ...newer, type: 'constructor' } as unknown as TreeNode;
		expect(readable(namedLikeAProperty)).toBe(namedLikeAProperty);
	});
});
