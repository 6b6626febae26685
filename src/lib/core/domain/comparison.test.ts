import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchEnds, compareBranches, comparedItems, lastAnswers, pairsOf, type ComingAnswer, type ComparedItem } from './comparison.ts';
import { isVisible, type NodeType } from './nodes.ts';
import { outlineNodeOf } from './outline-node.ts';
import { outlineOf, type OutlineNode } from './outline.ts';
import { choicesFor, damagedOutline, randomTree } from './test-trees.ts';
import { deepestDescendant, logicalParent, pathTo, treeOf } from './tree.ts';

/** `q` asks, `a` answers, `~` is transparent, anything else is shown as something else; `-` before it deletes. */
const typeOf = (id: string): NodeType =>
	id.startsWith('q') ? 'user_message' : id.startsWith('a') ? 'assistant_message' : id.startsWith('~') ? 'turn_context' : 'unknown';

/** `q1<a1<q2` hangs q2 under a1 under q1. Seq is the order of writing. */
function drawn(...chains: readonly string[]): OutlineNode[] {
	const nodes = new Map<string, OutlineNode>();
	for (const chain of chains) {
		let parentId: string | null = null;
		for (const word of chain.split('<')) {
			const id = word.replace(/^-/, '');
			if (!nodes.has(id)) {
				const seq = nodes.size + 1;
				const deleted = word.startsWith('-') ? { deleted: true as const } : {};
				nodes.set(id, { id, parentId, seq, type: typeOf(id), ts: seq, line: id, name: '', ...deleted });
			}
			parentId = id;
		}
	}
	return [...nodes.values()];
}

function sourceOf(nodes: readonly OutlineNode[], fields: { choices?: Map<string, string>; coming?: ComingAnswer } = {}) {
	return { tree: treeOf(nodes), outline: outlineOf(nodes, null), choices: fields.choices ?? new Map(), coming: fields.coming ?? null };
}

const written = (item: ComparedItem | null) => (item ? `${item.ids.join('+')}${item.isComing ? '…' : ''}` : '–');
const ids = (entries: readonly { readonly node: OutlineNode }[]) => entries.map((entry) => entry.node.id).join(' ');

function compared(nodes: readonly OutlineNode[], a: string, b: string, fields: Parameters<typeof sourceOf>[1] = {}) {
	const comparison = compareBranches(sourceOf(nodes, fields), a, b);
	return {
		relation: comparison.relation,
		common: ids(comparison.common),
		pairs: comparison.pairs.map((pair) => `${written(pair.a)} | ${written(pair.b)}`),
		comparison
	};
}

const ask = (id: string): ComparedItem => ({ kind: 'question', key: id, ids: [id], isComing: false });
const say = (id: string): ComparedItem => ({ kind: 'answer', key: id, ids: [id], isComing: false });
const other = (id: string): ComparedItem => ({ kind: 'other', key: id, ids: [id], isComing: false });

describe('two branches', () => {
	it('TREE-50: the shared beginning, then what each has of its own', () => {
		const tree = drawn('q1<a1<q2<a2', 'q1<a1<q3<a3<q4');
		expect(compared(tree, 'q2', 'q3')).toMatchObject({ relation: 'fork', common: 'q1 a1', pairs: ['q2 | q3', 'a2 | a3', '– | q4'] });
		// An edited first question: the beginning itself is the fork.
		expect(compared(drawn('q1<a1', 'q2<a2'), 'a1', 'a2')).toMatchObject({ relation: 'fork', common: '', pairs: ['q1 | q2', 'a1 | a2'] });
		expect(compared(tree, 'a2', 'a2')).toMatchObject({ relation: 'same', common: 'q1 a1 q2 a2', pairs: [] });
	});

	it('TREE-50: on any tree the beginning is the common part of both paths, and the rest is what follows', () => {
		fc.assert(
			fc.property(randomTree, fc.nat(1_000), fc.nat(1_000), fc.array(fc.nat(1_000)), (nodes, first, second, picks) => {
				const outline = nodes.map(outlineNodeOf);
				const source = sourceOf(outline, { choices: choicesFor(nodes, picks) });
				const [a, b] = [first, second].map((at) => nodes[at % nodes.length]!.id) as [string, string];
				const { common, a: sideA, b: sideB, relation } = compareBranches(source, a, b);
				if (relation === 'incomplete') return;
				for (const side of [sideA, sideB]) {
					const path = pathTo(source.tree, side.endId).filter(isVisible);
					expect([...common, ...side.own].map((entry) => entry.node.id)).toEqual(path.map((node) => node.id));
				}
				expect(sideA.own[0]?.node.id === sideB.own[0]?.node.id && sideA.own.length > 0).toBe(false);
			})
		);
	});

	it('TREE-50: whatever the damage, every walk ends and nothing is in a branch twice', () => {
		fc.assert(
			fc.property(damagedOutline, fc.nat(24), fc.nat(24), (nodes, first, second) => {
				const { common, a, b, pairs } = compareBranches(sourceOf(nodes), `n${first}`, `n${second}`);
				for (const side of [a, b]) {
					const path = [...common, ...side.own].map((entry) => entry.node.id);
					expect(new Set(path).size).toBe(path.length);
				}
				expect(pairs.flatMap((pair) => [...(pair.a?.ids ?? [])]).length).toBeLessThanOrEqual(a.own.length);
			})
		);
	});

	it('TREE-50: ten thousand messages on each side are compared in one go', () => {
		const long = (side: string) => Array.from({ length: 10_000 }, (_, at) => `${at % 2 === 0 ? 'q' : 'a'}${side}${at}`).join('<');
		const { relation, pairs } = compared(drawn(`q0<a0<${long('x')}`, `q0<a0<${long('y')}`), 'qx0', 'qy0');
		expect([relation, pairs.length, pairs.at(-1)]).toEqual(['fork', 10_000, 'ax9999 | ay9999']);
	});

	it('TREE-51: a chosen message stands for the branch that choosing it shows', () => {
		const tree = drawn('q1<a1<q2<a2', 'q1<a1<q3<a3', 'q1<a1<q2<a4');
		expect(compared(tree, 'q2', 'q3').pairs).toEqual(['q2 | q3', 'a4 | a3']);
		expect(compared(tree, 'q2', 'q3', { choices: new Map([['q2', 'a2']]) }).pairs).toEqual(['q2 | q3', 'a2 | a3']);
		fc.assert(
			fc.property(randomTree, fc.nat(1_000), fc.array(fc.nat(1_000)), (nodes, at, picks) => {
				const choices = choicesFor(nodes, picks);
				const source = sourceOf(nodes.map(outlineNodeOf), { choices });
				const chosen = nodes[at % nodes.length]!;
				const { a } = compareBranches(source, chosen.id, 'nobody');
				const end = source.tree.nodesById.get(deepestDescendant(source.tree, chosen.id, choices))!;
				const mark = chosen.deleted ? null : (logicalParent(source.tree, chosen.id)?.id ?? null);
				expect(a.endId).toBe(isVisible(end) ? end.id : mark);
			})
		);
	});

	it('TREE-51: one above the other stands for itself, and it is said', () => {
		const tree = drawn('q1<a1<q2<a2', 'q1<a1<q3<a3');
		expect(compared(tree, 'a1', 'a2')).toMatchObject({ relation: 'a-leads-to-b', common: 'q1 a1', pairs: ['– | q2', '– | a2'] });
		expect(compared(tree, 'q3', 'q1')).toMatchObject({ relation: 'b-leads-to-a', common: 'q1', pairs: ['a1 | –', 'q3 | –', 'a3 | –'] });
	});

	it('TREE-53: missing, deleted, partly deleted and cut off are said', () => {
		const tree = drawn('q1<a1<q2<a2', 'q1<a1<-q3<-a3', 'q1<a1<-q4<a4');
		expect(compared(tree, 'a2', 'nobody')).toMatchObject({ relation: 'incomplete', common: '' });
		expect(compared(tree, 'a2', 'nobody').comparison.b).toMatchObject({ state: 'missing', endId: null, own: [] });
		expect(compared(tree, 'a2', 'q3').comparison.b).toMatchObject({ state: 'deleted', endId: null });
		const partly = compared(tree, 'q2', 'q4');
		expect(partly).toMatchObject({ relation: 'fork', pairs: ['q2 | –', 'a2 | a4'] });
		expect([partly.comparison.a.deletedCount, partly.comparison.b.deletedCount, partly.comparison.b.isChosenDeleted]).toEqual([0, 1, true]);
		const cut: OutlineNode = { id: 'qx', parentId: 'gone', seq: 99, type: 'user_message', ts: 1, line: '', name: '' };
		expect(compared([...tree, cut], 'a2', 'qx')).toMatchObject({ relation: 'apart', common: '' });
	});

	it('TREE-54: an answer that is coming has its place before it is a node', () => {
		const tree = drawn('q1<a1', 'q1<~c2');
		const coming: ComingAnswer = { answerId: 'a2', parentId: '~c2', continuesId: null };
		const before = compared(tree, 'a1', 'a2', { coming });
		expect(before).toMatchObject({ relation: 'fork', common: 'q1', pairs: ['a1 | …'] });
		expect(before.comparison.b).toMatchObject({ state: 'there', isComing: true });
		const after = compared(drawn('q1<a1', 'q1<~c2<a2'), 'a1', 'a2');
		expect(after).toMatchObject({ relation: 'fork', common: 'q1', pairs: ['a1 | a2'] });
		expect([before, after].map(({ comparison }) => comparison.pairs[0]?.b?.key)).toEqual(['a2', 'a2']);
		// Without the run nothing is there any more.
		expect(compared(tree, 'a1', 'a2').comparison.b.state).toBe('missing');
		// A new question at the end of a branch.
		const asked = compared(drawn('q1<a1<q2', 'q1<a3'), 'a1', 'a3', { coming: { answerId: 'a2', parentId: 'q2', continuesId: null } });
		expect(asked.pairs).toEqual(['a1 | a3', 'q2 | –', '… | –']);
		// A cut answer goes on.
		const cut = compared(drawn('q1<a1<~c', 'q1<a3'), 'a1', 'a3', { coming: { answerId: 'a2', parentId: '~c', continuesId: 'a1' } });
		expect(cut.pairs).toEqual(['a1… | a3']);
	});
});

describe('what stands beside what', () => {
	it('TREE-52: question beside question, answer beside answer, and the pieces of an answer in one place', () => {
		expect(
			pairsOf([say('a1'), ask('q2'), say('a2')], [ask('q3'), say('a3')]).map((pair) => `${written(pair.a)} | ${written(pair.b)}`)
		).toEqual(['a1 | –', 'q2 | q3', 'a2 | a3']);
		expect(
			pairsOf([ask('q1'), other('x1'), other('x2'), say('a1'), other('x3')], [ask('q2'), say('a2'), say('a3')]).map(
				(pair) => `${written(pair.a)} | ${written(pair.b)}`
			)
		).toEqual(['q1 | q2', 'x1 | –', 'x2 | –', 'a1 | a2', 'x3 | –', '– | a3']);
		const [cut, more] = drawn('q1<a1<a2').slice(1) as [OutlineNode, OutlineNode];
		const entries = outlineOf([cut, { ...more, continues: 'a1' }], null).entries;
		expect(comparedItems(entries).map(written)).toEqual(['a1+a2']);
	});

	it('TREE-52: each message of both branches is in exactly one pair, in its order, and kinds are never mixed', () => {
		const items = fc
			.array(fc.constantFrom('question' as const, 'answer' as const, 'other' as const), { maxLength: 30 })
			.map((kinds) => kinds.map((kind, at): ComparedItem => ({ kind, key: `${kind}${at}`, ids: [`${kind}${at}`], isComing: false })));
		fc.assert(
			fc.property(items, items, (a, b) => {
				const pairs = pairsOf(a, b);
				expect(pairs.flatMap((pair) => pair.a ?? [])).toEqual(a);
				expect(pairs.flatMap((pair) => pair.b ?? [])).toEqual(b);
				for (const pair of pairs) expect(pair.a === null || pair.b === null || pair.a.kind === pair.b.kind).toBe(true);
			})
		);
	});

	it('TREE-52: the last answers of both branches are a pair of their own', () => {
		const pairs = pairsOf([ask('q1'), say('a1'), ask('q2')], [ask('q3'), say('a3'), ask('q4'), say('a4')]);
		expect(lastAnswers(pairs).map((pair) => `${written(pair.a)} | ${written(pair.b)}`)).toEqual(['a1 | a4']);
		expect(lastAnswers(pairsOf([ask('q1')], []))).toEqual([]);
	});

	it('TREE-55: where a side can go to', () => {
		const outline = outlineOf(drawn('q1<a1<q2<a2', 'q1<a1<q3<a3', 'q1<a1<q3<a4', 'q5'), null);
		const ends = branchEnds(outline, 'q3', 10);
		expect([ids(ends.through), ids(ends.others), ends.count]).toEqual(['a3 a4', 'a2 q5', 4]);
		const few = branchEnds(outline, 'q3', 3);
		expect([ids(few.through), ids(few.others), few.count]).toEqual(['a3 a4', 'a2', 4]);
		expect(ids(branchEnds(outline, null, 9).others)).toBe('a2 a3 a4 q5');
	});
});
