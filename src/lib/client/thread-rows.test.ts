import { describe, expect, it } from 'vitest';
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { ThreadView } from '#lib/storage/queries/thread-view.ts';
import type { RunRow } from '#lib/storage/rows.ts';
import { answer, question, threadRow, treeNode, turnContext } from '#lib/storage/test-database.ts';
import { threadRows, type Streaming, type ThreadRow } from './thread-rows.ts';

const quiet: Streaming = { runId: null, text: '', reasoning: '' };

function viewOf(nodes: readonly TreeNode[], fields: Partial<ThreadView> = {}): ThreadView {
	return {
		thread: threadRow('t', { leafId: nodes.at(-1)?.id ?? null }),
		nodes,
		siblingsById: new Map(),
		labelsById: new Map(),
		pointId: null,
		startsAtRoot: true,
		endsAtLeaf: true,
		isBroken: false,
		isDamaged: false,
		leafRun: undefined,
		answersAtLeaf: [],
		activeRun: undefined,
		inflight: undefined,
		...fields
	};
}

function run(parentNodeId: NodeId, fields: Partial<RunRow> = {}): RunRow {
	return {
		id: 'run',
		threadId: 't',
		turnId: 'turn',
		state: 'streaming_model',
		clientId: 'c',
		submissionId: 's',
		parentNodeId,
		anchorNodeId: parentNodeId,
		answerNodeId: 'new',
		connectionId: 'guide',
		model: 'm',
		locale: 'en',
		attempts: 0,
		createdAt: 1,
		updatedAt: 1,
		...fields
	};
}

const q = (id: string, parentId: string | null) => treeNode(id, parentId, { content: question(id) });
const a = (id: string, parentId: string, fields: Parameters<typeof answer>[1] = {}) =>
	treeNode(id, parentId, { content: answer(id, fields) });
const ctx = (id: string, parentId: string | null) => treeNode(id, parentId, { content: turnContext() });

function told(row: ThreadRow): string {
	return row.kind === 'other' ? row.node.type : `${row.kind} ${row.text}`;
}

describe('rows', () => {
	it('VIEW-01: what can be seen of the path, in its order', () => {
		const notice = treeNode('n', 'a', { content: { type: 'system_notice', payload: { code: 'c' } } });
		const unknown = treeNode('u', 'n', { content: { type: 'unknown', payload: { originalType: 'x', raw: {} } } });
		const nodes = [
			ctx('c', null),
			q('q', 'c'),
			a('a', 'q'),
			notice,
			unknown,
			{ ...q('gone', 'u'), deleted: true as const },
			q('q2', 'gone')
		];
		expect(threadRows(viewOf(nodes), quiet).map(told)).toEqual(['question q', 'answer a', 'system_notice', 'unknown', 'question q2']);
	});

	it('VIEW-02: a message with versions knows which one it is; one without has none', () => {
		const rows = threadRows(viewOf([q('q', null), a('a', 'q')], { siblingsById: new Map([['a', ['x', 'a', 'y']]]) }), quiet);
		expect(rows.map((row) => row.versions)).toEqual([null, { ids: ['x', 'a', 'y'], index: 1 }]);
	});

	it('VIEW-03: a circle of parents gives no key twice', () => {
		const nodes = [treeNode('a', 'c'), treeNode('b', 'a'), treeNode('c', 'b')];
		for (const window of [nodes, [treeNode('a', 'a')], nodes.slice(1)]) {
			const keys = threadRows(viewOf(window), quiet).map((row) => row.key);
			expect(new Set(keys).size).toBe(window.length);
		}
	});

	it('VIEW-03: a row keeps its key when another version is chosen, and no two rows share one', () => {
		const one = threadRows(viewOf([ctx('c', null), q('q', 'c'), a('a', 'q'), q('q2', 'a')]), quiet);
		const other = threadRows(viewOf([ctx('c', null), q('q', 'c'), a('b', 'q'), q('q3', 'b')]), quiet);
		expect(one.slice(0, 2).map((row) => row.key)).toEqual(other.slice(0, 2).map((row) => row.key));
		expect(one[2]?.key).not.toBe(other[2]?.key);
		expect(new Set(one.map((row) => row.key)).size).toBe(one.length);
	});

	it('VIEW-04: an answer that goes on is one row with all its pieces', () => {
		const rest = a('rest', 'c', { continuesNodeId: 'half', reasoning: '+' });
		const nodes = [q('q', null), a('half', 'q', { status: 'stopped', reasoning: 'hm' }), ctx('c', 'half'), rest, q('q2', 'rest')];
		const rows = threadRows(viewOf(nodes), quiet);
		expect(rows.map(told)).toEqual(['question q', 'answer halfrest', 'question q2']);
		expect(rows[1]).toMatchObject({ reasoning: 'hm+', parts: [{ id: 'half' }, { id: 'rest' }], isStreaming: false });
		expect(threadRows(viewOf([q('q', null), a('alone', 'q', { continuesNodeId: 'elsewhere' })]), quiet).map(told)).toEqual([
			'question q',
			'answer alone'
		]);
	});
});

describe('the answer at the leaf', () => {
	it('VIEW-05: what is being written is a row before it is a node, under the same key', () => {
		const view = viewOf([q('q', null)], { leafRun: run('q'), activeRun: run('q') });
		const [, waiting] = threadRows(view, quiet);
		expect(waiting).toMatchObject({ kind: 'answer', text: '', isStreaming: true, parts: [], versions: null });
		const [, heard] = threadRows(view, { runId: 'run', text: 'half', reasoning: 'hm' });
		expect(heard).toMatchObject({ text: 'half', reasoning: 'hm', isStreaming: true });
		const done = threadRows(viewOf([q('q', null), a('new', 'q')], { leafRun: undefined }), { runId: 'run', text: 'half', reasoning: '' });
		expect([done.length, done[1]?.key]).toEqual([2, heard?.key]);
		expect(done[1]).toMatchObject({ text: 'new', isStreaming: false });
	});

	it("VIEW-05: what is heard of another run is not laid over this one; the checkpoint stands in for what wasn't heard", () => {
		const kept = { threadId: 't', runId: 'run', turnId: 'turn', nodeId: 'new', savedAt: 1, text: 'kept', reasoning: '' };
		const view = viewOf([q('q', null)], { leafRun: run('q'), inflight: kept });
		expect(threadRows(view, { runId: 'other', text: 'stranger', reasoning: '' })[1]).toMatchObject({ text: 'kept' });
		const strange = { ...view, inflight: { ...kept, runId: 'other' } };
		expect(threadRows(strange, quiet)[1]).toMatchObject({ text: '' });
	});

	it('VIEW-05: a continuation is written into the row of the answer that it continues', () => {
		const view = viewOf([q('q', null), a('half', 'q', { status: 'stopped' }), ctx('c', 'half')], {
			leafRun: run('c', { continuesNodeId: 'half' })
		});
		const rows = threadRows(view, { runId: 'run', text: ' more', reasoning: '' });
		expect(rows.map(told)).toEqual(['question q', 'answer half more']);
		expect(rows[1]).toMatchObject({ isStreaming: true, run: { id: 'run' } });
	});

	it('VIEW-05: a new answer beside older ones is their newest version while it comes', () => {
		const view = viewOf([q('q', null), ctx('c', 'q')], { leafRun: run('c'), answersAtLeaf: ['a', 'b'] });
		expect(threadRows(view, quiet)[1]?.versions).toEqual({ ids: ['a', 'b', 'new'], index: 2 });
	});

	it.each(['failed', 'interrupted', 'stopped'] as const)('VIEW-06: an answer that never came says so (%s)', (state) => {
		const view = viewOf([q('q', null)], { leafRun: run('q', { state, errorCode: 'model-offline' }) });
		expect(threadRows(view, { runId: 'run', text: 'old words', reasoning: '' })[1]).toMatchObject({
			run: { state },
			text: '',
			isStreaming: false
		});
	});

	it('VIEW-06: a completed run, and the end of a window that is not the leaf, add nothing', () => {
		expect(threadRows(viewOf([q('q', null)], { leafRun: run('q', { state: 'completed' }) }), quiet).length).toBe(1);
		expect(threadRows(viewOf([q('q', null)], { leafRun: run('q'), endsAtLeaf: false }), quiet).length).toBe(1);
		const gone = viewOf([q('q', null)], { leafRun: run('elsewhere', { state: 'failed' }) });
		expect(threadRows(gone, quiet).length).toBe(1);
	});

	it('VIEW-30: at a point that is looked at no other version can be chosen', () => {
		const siblingsById = new Map([['q', ['q', 'other']]]);
		expect(threadRows(viewOf([q('q', null)], { siblingsById }), quiet)).toMatchObject([{ versions: { ids: ['q', 'other'], index: 0 } }]);
		expect(threadRows(viewOf([q('q', null)], { siblingsById, pointId: 'q' }), quiet)).toMatchObject([{ versions: null }]);
	});
});
