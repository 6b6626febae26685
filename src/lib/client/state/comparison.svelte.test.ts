import { describe, expect, it, onTestFinished } from 'vitest';
import { flushSync } from 'svelte';
import type { ComparedItem } from '#lib/core/domain/comparison.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { RunRow } from '#lib/storage/rows.ts';
import { answer, question, treeNode, turnContext } from '#lib/storage/test-database.ts';
import type { Session } from '../session.ts';
import type { DifferencesResult } from '../word-differences/difference-finder.ts';
import { ComparisonState, isWorthMarking, type ChosenPair } from './comparison.svelte.ts';
import type { ThreadViewState } from './thread-view.svelte.ts';

let seq = 0;
const q = (id: string, parentId: string | null, fields = {}) =>
	treeNode(id, parentId, { seq: ++seq, content: question(`${id} asks`), ...fields });
const a = (id: string, parentId: string, fields = {}) => treeNode(id, parentId, { seq: ++seq, content: answer(`${id} says`), ...fields });

/** A table of nodes that is read by ids, as the database would. */
function setupComparison(nodes: readonly TreeNode[], chosen: ChosenPair) {
	const reads: { readonly ids: string[] }[] = [];
	const questions: { readonly a: string; readonly b: string; readonly answer: (result: DifferencesResult) => void }[] = [];
	let takenBack = 0;
	const selected: string[] = [];
	const live = new Set<() => void>();
	let stored = nodes;
	const chain = (rows: unknown[]) => ({
		toArray: () => Promise.resolve(rows),
		limit: () => chain(rows),
		count: () => Promise.resolve(rows.length)
	});
	const database = {
		transaction: (_mode: string, _tables: unknown, work: () => unknown) => work(),
		nodes: {
			where: () => ({ between: () => chain([...stored]), equals: () => chain([...stored]) }),
			bulkGet: (ids: string[]) => {
				reads.push({ ids });
				return Promise.resolve(ids.map((id) => stored.find((node) => node.id === id)));
			}
		},
		forkChoices: { where: () => ({ equals: () => chain([]) }) }
	};
	const session = {
		watch: (query: (from: unknown) => Promise<unknown>, onValue: (value: unknown) => void) => {
			let isOn = true;
			const ask = () => void query(database).then((value) => isOn && onValue(value));
			ask();
			live.add(ask);
			return () => {
				isOn = false;
				live.delete(ask);
			};
		}
	} as unknown as Session;
	const thread = $state({
		view: { thread: { leafId: null }, activeRun: undefined as RunRow | undefined, inflight: undefined },
		streaming: { runId: null as string | null, text: '', reasoning: '' }
	});
	const side = $state({ pair: chosen });
	let comparing!: ComparisonState;
	onTestFinished(
		$effect.root(() => {
			comparing = new ComparisonState(
				session,
				{
					threadId: 't',
					get view() {
						return thread.view;
					},
					get streaming() {
						return thread.streaming;
					},
					selectBranch: (id: string) => Promise.resolve(selected.push(id) > 0)
				} as unknown as ThreadViewState,
				() => side.pair,
				{
					find: (first: string, second: string, answerWith: (result: DifferencesResult) => void) => {
						questions.push({ a: first, b: second, answer: answerWith });
						return () => (takenBack += 1);
					},
					close: () => {}
				}
			);
			$effect(() => void [comparing.pairs.map((pair) => pair.a && comparing.row(pair.a)), comparing.found, comparing.failure]);
		})
	);
	const settle = async () => {
		for (let turn = 0; turn < 10; turn++) {
			await new Promise((resolve) => setTimeout(resolve));
			flushSync();
		}
	};
	const told = (item: ComparedItem | null) => {
		const row = item && comparing.row(item);
		return !item ? '–' : row && row.kind !== 'other' ? row.text : '?';
	};
	const pairs = () => comparing.pairs.map((pair) => `${told(pair.a)} | ${told(pair.b)}`);
	const store = (next: readonly TreeNode[]) => {
		stored = next;
		for (const ask of live) ask();
	};
	return { comparing, thread, side, reads, questions, selected, settle, pairs, store, takenBackCount: () => takenBack };
}

const small = () => [q('q1', null), a('a1', 'q1'), q('q2', 'a1'), a('a2', 'q2'), a('a2b', 'q2')];
const run = (fields: Partial<RunRow>) =>
	({ id: 'run', state: 'streaming_model', anchorNodeId: 'q2', createdAt: 1, connectionId: 'guide', model: 'm', ...fields }) as RunRow;

describe('two branches beside each other', () => {
	it('VIEW-50: what is written, deleted and brought back is seen in its place', async () => {
		const tree = small();
		const { comparing, thread, settle, pairs, store } = setupComparison(
			[...tree, treeNode('c3', 'q2', { seq: 90, content: turnContext() })],
			{
				a: 'a2',
				b: 'a3'
			}
		);
		thread.view = { ...thread.view, activeRun: run({ parentNodeId: 'c3', answerNodeId: 'a3' }) };
		thread.streaming = { runId: 'run', text: 'half an', reasoning: '' };
		await settle();
		expect(comparing.comparison?.relation).toBe('fork');
		expect(pairs()).toEqual(['a2 says | half an']);
		const before = comparing.comparison;
		thread.streaming = { runId: 'run', text: 'half an answer', reasoning: '' };
		thread.view = { ...thread.view, activeRun: run({ parentNodeId: 'c3', answerNodeId: 'a3', updatedAt: 9 }) };
		flushSync();
		expect(comparing.comparison === before).toBe(true);
		expect(pairs()).toEqual(['a2 says | half an answer']);
		const written = [...tree, treeNode('c3', 'q2', { seq: 90, content: turnContext() }), a('a3', 'c3')];
		store(written);
		await settle();
		expect(pairs()).toEqual(['a2 says | a3 says']);
		thread.view = { ...thread.view, activeRun: undefined };
		store(written.map((node) => (node.id === 'a3' ? { ...node, deleted: true as const } : node)));
		await settle();
		expect([comparing.comparison?.relation, comparing.comparison?.b.state]).toEqual(['incomplete', 'deleted']);
		store(written);
		await settle();
		expect(pairs()).toEqual(['a2 says | a3 says']);
	});

	it('VIEW-51: a window of pairs, with the bodies that it shows', async () => {
		const chain = (name: string) =>
			Array.from({ length: 2_000 }, (_, at) =>
				at % 2 === 0 ? q(`${name}${at}`, at === 0 ? 'a1' : `${name}${at - 1}`) : a(`${name}${at}`, `${name}${at - 1}`)
			);
		const { comparing, reads, settle, pairs } = setupComparison([...small(), ...chain('x'), ...chain('y')], { a: 'x0', b: 'y0' });
		await settle();
		expect([comparing.pairs.length, comparing.earlierCount, comparing.laterCount]).toEqual([20, 0, 1_980]);
		expect(reads.at(-1)?.ids.length).toBe(40);
		for (let step = 0; step < 10; step++) comparing.showLater();
		await settle();
		expect([comparing.pairs.length, comparing.earlierCount, comparing.laterCount]).toEqual([120, 100, 1_780]);
		expect(pairs()[0]).toBe('x100 asks | y100 asks');
		expect(Math.max(...reads.map((read) => read.ids.length))).toBeLessThanOrEqual(240);
		for (let step = 0; step < 9; step++) comparing.showEarlier();
		await settle();
		expect([comparing.pairs.length, comparing.earlierCount]).toEqual([120, 0]);
		expect(comparing.common.length).toBe(0);
		comparing.showMoreCommon();
		await settle();
		expect([comparing.common.length, comparing.hasMoreCommon]).toEqual([2, false]);
	});

	it('VIEW-52: a side follows what is chosen for it, and one goes on with its end', async () => {
		const { comparing, side, thread, selected, settle, pairs } = setupComparison([...small(), q('q4', 'a2b'), q('q5', 'a1')], {
			a: 'a2',
			b: 'q5'
		});
		await settle();
		expect(pairs()).toEqual(['q2 asks | q5 asks', 'a2 says | –']);
		expect([comparing.ends('a').through, comparing.ends('a').others].map((list) => list.map((entry) => entry.node.id))).toEqual([
			['a2', 'q4'],
			['q5']
		]);
		side.pair = { a: 'q4', b: 'q5' };
		await settle();
		expect(pairs()).toEqual(['q2 asks | q5 asks', 'a2b says | –', 'q4 asks | –']);
		expect(await comparing.goOnWith('a')).toBe(true);
		thread.view = { ...thread.view, activeRun: run({ parentNodeId: 'q5', answerNodeId: 'a5' }) };
		flushSync();
		await comparing.goOnWith('b');
		side.pair = { a: 'q4', b: 'nobody' };
		await settle();
		expect(await comparing.goOnWith('b')).toBe(false);
		expect(selected).toEqual(['q4', 'q5']);
	});

	it('VIEW-53: differences of complete texts, once for each', async () => {
		const { comparing, thread, questions, settle } = setupComparison(small(), { a: 'a2', b: 'a2b' });
		await settle();
		expect(questions.map(({ a: first, b: second }) => [first, second])).toEqual([['a2 says', 'a2b says']]);
		expect(comparing.found).toEqual({ changes: 0, isComplete: false });
		questions[0]?.answer({ kind: 'found', a: [], b: [], changes: 3, onlyInA: 1, onlyInB: 1, likeness: 0.5 });
		flushSync();
		expect(comparing.found).toEqual({ changes: 3, isComplete: true });
		thread.view = { ...thread.view };
		await settle();
		expect(questions.length).toBe(1);
		expect(
			[200, 10].map((onlyInA) => isWorthMarking({ kind: 'found', a: [], b: [], changes: 9, onlyInA, onlyInB: 0, likeness: 0.2 }))
		).toEqual([false, true]);
	});

	it('VIEW-53: none of an answer that is still being written', async () => {
		const { comparing, thread, questions, settle } = setupComparison(small(), { a: 'a2', b: 'a2b' });
		thread.view = { ...thread.view, activeRun: run({ parentNodeId: 'a2b', answerNodeId: 'a9', continuesNodeId: 'a2b' }) };
		await settle();
		expect([questions.length, comparing.found, comparing.pairs[0]?.b?.isComing]).toEqual([0, { changes: 0, isComplete: true }, true]);
	});

	it('VIEW-54: the last answers alone', async () => {
		const { comparing, settle, pairs } = setupComparison([...small(), q('q4', 'a2b'), a('a4', 'q4')], { a: 'a2', b: 'a2b' });
		await settle();
		expect(pairs()).toEqual(['a2 says | a2b says', '– | q4 asks', '– | a4 says']);
		comparing.isLastOnly = true;
		await settle();
		expect(pairs()).toEqual(['a2 says | a4 says']);
	});
});
