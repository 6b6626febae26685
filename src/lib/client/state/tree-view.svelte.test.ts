import { describe, expect, it, onTestFinished } from 'vitest';
import { flushSync } from 'svelte';
import type { OutlineNode } from '#lib/core/domain/outline.ts';
import type { Session } from '../session.ts';
import type { ThreadViewState } from './thread-view.svelte.ts';
import { TreeViewState } from './tree-view.svelte.ts';

const node = (id: string, parentId: string | null, seq: number, fields: Partial<OutlineNode> = {}): OutlineNode => ({
	id,
	parentId,
	seq,
	type: seq % 2 === 1 ? 'user_message' : 'assistant_message',
	ts: seq,
	line: `line of ${id}`,
	name: '',
	...fields
});

/** q1 a1 .q2 .a2 q3 a3 q4 */
const small = [
	node('q1', null, 1),
	node('a1', 'q1', 2),
	node('q2', 'a1', 3),
	node('a2', 'q2', 4),
	node('q3', 'a1', 5),
	node('a3', 'q3', 6),
	node('q4', 'a3', 7)
];

function setupTree(nodes: readonly OutlineNode[], leafId: string | null) {
	const sent: [string, Record<string, unknown>][] = [];
	const answers: Record<string, unknown> = {};
	const shown: (string | null)[] = [];
	const reads = { count: 0, tell: (_: readonly OutlineNode[]) => {} };
	const thread = $state({ view: { thread: { leafId } }, draft: { text: '' } });
	const session = {
		engine: {
			send: (type: string, payload: Record<string, unknown>) => {
				sent.push([type, payload]);
				return Promise.resolve({ ok: true, value: answers[type] ?? {} });
			}
		},
		read: () => Promise.resolve('the whole question'),
		watch: (_query: unknown, onValue: (value: readonly OutlineNode[]) => void) => {
			reads.count += 1;
			reads.tell = onValue;
			onValue(nodes);
			return () => {};
		}
	} as unknown as Session;
	const view = {
		threadId: 't',
		showUpTo: (id: string | null) => shown.push(id),
		get view() {
			return thread.view;
		},
		draft: thread.draft
	} as unknown as ThreadViewState;
	let tree!: TreeViewState;
	// A live read goes on while something looks at it.
	onTestFinished(
		$effect.root(() => {
			tree = new TreeViewState(session, view);
			$effect(() => void tree.rows);
		})
	);
	flushSync();
	const rows = () => tree.rows.map((row) => row.entry.node.id).join(' ');
	return { tree, sent, answers, shown, thread, reads, rows };
}

describe('the tree of a conversation', () => {
	it('VIEW-20: one read, and nothing is read again when the cursor moves', () => {
		const { tree, thread, reads, rows } = setupTree(small, 'q4');
		expect(rows()).toBe('q1 a1 q2 a2 q3 a3 q4');
		expect([tree.outline?.elsewhereCount, tree.active?.entry.node.id]).toEqual([2, 'q4']);
		thread.view = { thread: { leafId: 'a2' } };
		flushSync();
		expect([tree.outline?.elsewhereCount, tree.active?.entry.node.id, reads.count]).toEqual([3, 'a2', 1]);
		reads.tell([...small, node('q5', 'a2', 9)]);
		flushSync();
		expect(rows()).toBe('q1 a1 q2 a2 q5 q3 a3 q4');
	});

	it('VIEW-21: a large tree opens folded but for the branch in view, and a fold is kept', () => {
		const trunk = Array.from({ length: 400 }, (_, seq) => node(`m${seq}`, seq === 0 ? null : `m${seq - 1}`, seq));
		const sides = [10, 20].flatMap((fork) => [node(`s${fork}`, `m${fork}`, 500 + fork), node(`t${fork}`, `s${fork}`, 501 + fork)]);
		const { tree, rows } = setupTree([...trunk, ...sides], 't10');
		expect(tree.rows.length).toBe(403);
		expect([rows().includes('t10'), rows().includes('s20'), rows().includes('t20')]).toEqual([true, true, false]);
		const folded = tree.rows.find((row) => row.entry.node.id === 's20');
		if (folded) tree.fold(folded, false);
		flushSync();
		expect(tree.rows.length).toBe(404);
		tree.foldAll(true);
		flushSync();
		expect([tree.rows.length, rows().includes('t10')]).toEqual([403, true]);
		tree.foldAll(false);
		flushSync();
		expect(tree.rows.length).toBe(404);
	});

	it('VIEW-22: filter and search reset folds, and the nearest shown message above the cursor is active', () => {
		const { tree, rows } = setupTree(small, 'a3');
		const head = tree.rows.find((row) => row.entry.node.id === 'q2');
		if (head) tree.fold(head, true);
		flushSync();
		expect(rows()).toBe('q1 a1 q2 q3 a3 q4');
		tree.filter = 'questions';
		flushSync();
		expect([rows(), tree.active?.entry.node.id]).toEqual(['q1 q2 q3 q4', 'q3']);
		tree.filter = 'all';
		tree.search = 'OF A';
		flushSync();
		expect([rows(), tree.active?.entry.node.id, tree.isFiltered]).toEqual(['a1 a2 a3', 'a3', true]);
		tree.search = '';
		flushSync();
		expect(rows()).toBe('q1 a1 q2 a2 q3 a3 q4');
		tree.filter = 'labelled';
		flushSync();
		expect([rows(), tree.active]).toEqual(['', undefined]);
	});

	it('VIEW-22: a folded row takes the place of what is active under it', () => {
		const { tree } = setupTree(small, 'a2');
		const head = tree.rows.find((row) => row.entry.node.id === 'q2');
		if (head) tree.fold(head, true);
		flushSync();
		expect(tree.active?.entry.node.id).toBe('q2');
	});

	it('VIEW-23: to show, to go on and to edit are three gestures', async () => {
		const { tree, sent, answers, shown, thread } = setupTree(small, 'q4');
		answers['thread.selectBranch'] = { leafId: 'a2' };
		await tree.show('q2');
		await tree.goOnFrom('a1');
		thread.draft.text = 'typed before';
		expect(await tree.editFrom('q3')).toEqual({ ok: true, value: 'typed before' });
		expect(thread.draft.text).toBe('the whole question');
		expect(sent.map(([type, payload]) => [type, payload['nodeId'], payload['position']])).toEqual([
			['thread.selectBranch', 'q2', 'end'],
			['thread.selectBranch', 'a1', 'at'],
			['thread.selectBranch', 'q3', 'before']
		]);
		expect(shown).toEqual([null, null, null]);
		const long = Array.from({ length: 100 }, (_, seq) => node(`m${seq}`, seq === 0 ? null : `m${seq - 1}`, seq));
		const far = setupTree(long, 'm99');
		far.answers['thread.selectBranch'] = { leafId: 'm99' };
		await far.tree.show('m5');
		expect(far.shown).toEqual(['m35']);
	});

	it('VIEW-24: two choices are a pair', () => {
		const { tree } = setupTree(small, 'q4');
		expect([tree.chooseForComparing('a2'), tree.comparedId]).toEqual([null, 'a2']);
		expect([tree.chooseForComparing('a2'), tree.comparedId]).toEqual([null, null]);
		tree.chooseForComparing('a2');
		expect([tree.chooseForComparing('q4'), tree.comparedId]).toEqual([['a2', 'q4'], null]);
	});

	it('VIEW-25: a deletion has a count and a way back', async () => {
		const { tree, sent, answers } = setupTree(small, 'q4');
		answers['branch.delete'] = { count: 3, deletion: 'stamp', leafId: 'a2' };
		answers['node.delete'] = { leafId: 'q4' };
		answers['branch.deleteOthers'] = { count: 2, deletion: 'other' };
		const branch = await tree.removeBranch('q3');
		const message = await tree.remove('a2');
		const others = await tree.removeOthers();
		expect([branch, message, others].map((result) => result.ok && result.value.count)).toEqual([3, 1, 2]);
		for (const result of [branch, message, others]) if (result.ok) await result.value.undo();
		expect(sent.slice(3)).toEqual([
			['branch.restore', { threadId: 't', deletion: 'stamp', leafId: 'q4' }],
			['node.restore', { threadId: 't', nodeId: 'a2' }],
			['branch.restore', { threadId: 't', deletion: 'other' }]
		]);
		expect(tree.othersCount).toBe(2);
	});

	it('VIEW-26: the first, the last and the place of a copy, and the way back', async () => {
		const { tree, sent, answers, reads, shown } = setupTree(small, 'q4');
		expect([tree.copying, tree.copyStep('a1')]).toEqual([null, 'from']);
		tree.copyFrom('q3');
		expect(['q3', 'q4', 'q2', 'q1', 'nobody'].map((id) => tree.copyStep(id))).toEqual(['to', 'to', 'from', 'from', 'from']);
		expect(await tree.putCopyUnder('a2')).toMatchObject({ ok: false });
		tree.copyToEnd();
		expect([tree.copying, tree.copyStep('q3')]).toEqual([{ fromId: 'q3', toId: 'q4' }, 'under']);
		tree.copyFrom('q2');
		tree.copyToEnd();
		expect(tree.copying).toEqual({ fromId: 'q2', toId: 'a2' });
		tree.copyTo('q2');
		answers['node.graft'] = { leafId: 'copy', firstId: 'context', count: 1 };
		const done = await tree.putCopyUnder('q4');
		expect([sent, shown, tree.copying]).toEqual([
			[['node.graft', { threadId: 't', fromId: 'q2', toId: 'q2', targetId: 'q4' }]],
			[null],
			null
		]);
		if (!done.ok) throw new Error(done.error.code);
		sent.length = 0;
		await done.value.undo();
		expect([done.value.count, sent]).toEqual([
			1,
			[
				['branch.delete', { threadId: 't', nodeId: 'context' }],
				['thread.selectBranch', { threadId: 't', nodeId: 'q4', position: 'at' }]
			]
		]);
		tree.copyFrom('q3');
		reads.tell(small.filter(({ id }) => id !== 'q3'));
		flushSync();
		expect(tree.copyStep('q4')).toBe('from');
		tree.stopCopying();
		expect(tree.copying).toBeNull();
	});
});
