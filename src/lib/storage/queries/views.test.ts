import { describe, expect, it, vi } from 'vitest';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { guideConnection } from '#lib/core/context/guide-connection.ts';
import type { RunRow, RunState } from '../rows.ts';
import { answer, setupDatabase, threadRow, treeNode, turnContext } from '../test-database.ts';
import { readConnections } from './connections.ts';
import { readSettingsAt } from './settings-at.ts';
import { readThreadList } from './thread-list.ts';
import { readThreadView } from './thread-view.ts';

function runRow(id: string, state: RunState, fields: Partial<RunRow> = {}): RunRow {
	return {
		id,
		threadId: 't',
		turnId: 'turn',
		state,
		clientId: 'c',
		submissionId: 's',
		parentNodeId: 'q',
		anchorNodeId: 'q',
		answerNodeId: `${id}-answer`,
		connectionId: 'guide',
		model: 'm',
		locale: 'en',
		attempts: 0,
		createdAt: 1,
		updatedAt: 1,
		...fields
	};
}

describe('the list of conversations', () => {
	it('DB-14: reads thread rows, never nodes, and as many as are shown', async () => {
		const database = await setupDatabase();
		await database.threads.bulkAdd(Array.from({ length: 30 }, (_, n) => threadRow(`t${n}`, { updatedAt: n, pinned: n === 3 ? 1 : 0 })));
		await database.threads.bulkAdd([
			threadRow('old', { updatedAt: 90, archived: 1 }),
			threadRow('both', { updatedAt: 91, archived: 1, pinned: 1 })
		]);
		await database.runs.bulkAdd([runRow('r1', 'streaming_model', { threadId: 't4' }), runRow('r2', 'completed', { threadId: 't5' })]);
		const nodes = vi.spyOn(database, 'table');
		vi.spyOn(database.nodes, 'where').mockImplementation(() => {
			throw new Error('the list asks for no nodes');
		});
		const list = await readThreadList(database, { limit: 3, archived: false });
		expect(list.threads.map((thread) => thread.id)).toEqual(['t29', 't28', 't27']);
		expect(list.pinned.map((thread) => thread.id)).toEqual(['t3']);
		expect([list.hasMore, [...list.running]]).toEqual([true, ['t4']]);
		const archived = await readThreadList(database, { limit: 3, archived: true });
		expect([archived.threads.map((thread) => thread.id), archived.pinned, archived.hasMore]).toEqual([['both', 'old'], [], false]);
		expect(nodes).not.toHaveBeenCalledWith('nodes');
	});
});

describe('a thread in view', () => {
	it('DB-15: the end of the branch with everything about it, from one snapshot', async () => {
		const database = await setupDatabase();
		await database.threads.add(threadRow('t', { leafId: 'c2' }));
		const place = { segmentId: 'c1', depth: 1 };
		await database.nodes.bulkAdd([
			treeNode('c1', null, { forkSegmentId: 'root', content: turnContext() }),
			treeNode('q', 'c1', place),
			treeNode('a', 'q', { ...place, depth: 2, seq: 3, content: answer('a') }),
			treeNode('c2', 'q', { depth: 2, seq: 4, forkSegmentId: 'c1', content: turnContext() })
		]);
		await database.runs.bulkAdd([
			runRow('old', 'failed', { parentNodeId: 'c2', createdAt: 5 }),
			runRow('new', 'streaming_model', { parentNodeId: 'c2', createdAt: 6 }),
			runRow('other', 'streaming_model', { threadId: 'other' })
		]);
		const kept = { threadId: 't', runId: 'new', turnId: 'turn', nodeId: 'n', savedAt: 1, text: 'half', reasoning: '' };
		await database.inflight.add(kept);
		const transactions = vi.spyOn(database, 'transaction');
		const view = await readThreadView(database, 't', { endId: null, limit: 2 });
		expect(view).toMatchObject({
			startsAtRoot: false,
			endsAtLeaf: true,
			isBroken: false,
			leafRun: { id: 'new' },
			activeRun: { id: 'new' },
			answersAtLeaf: ['a'],
			inflight: kept
		});
		expect(view?.nodes.map((node) => node.id)).toEqual(['q', 'c2']);
		expect(transactions).toHaveBeenCalledTimes(1);
		expect(await readThreadView(database, 't', { endId: 'q', limit: 9 })).toMatchObject({ endsAtLeaf: false, startsAtRoot: true });
		expect(await readThreadView(database, 'nobody', { endId: null, limit: 2 })).toBeNull();
	});

	it('DB-17: a thread from a point ends there, at any end of the window, and says what was in force', async () => {
		const database = await setupDatabase();
		await database.threads.add(threadRow('t', { leafId: 'q2' }));
		const place = { segmentId: 'c1', depth: 1 };
		await database.nodes.bulkAdd([
			treeNode('c1', null, { forkSegmentId: 'root', content: turnContext() }),
			treeNode('q', 'c1', place),
			treeNode('a', 'q', { ...place, depth: 2, content: answer('a') }),
			treeNode('q2', 'a', { ...place, depth: 3 }),
			treeNode('a2', 'q', { depth: 2, forkSegmentId: 'c1', content: answer('a2') }),
			treeNode('q3', 'a2', { segmentId: 'a2', depth: 3 })
		]);
		await database.runs.add(runRow('run', 'streaming_model', { parentNodeId: 'q2' }));
		const at = async (pointId: string, endId: string | null = null) => {
			const view = await readThreadView(database, 't', { pointId, endId, limit: 9 });
			return [view?.nodes.map((node) => node.id).join(' '), view?.endsAtLeaf, view?.thread.leafId, view?.leafRun, view?.activeRun?.id];
		};
		expect(await at('a2')).toEqual(['c1 q a2', true, 'q2', undefined, 'run']);
		expect(await at('a')).toEqual(['c1 q a', true, 'q2', undefined, 'run']);
		expect(await at('q3', 'q')).toEqual(['c1 q', false, 'q2', undefined, 'run']);
		expect(await at('nobody')).toEqual(['', true, 'q2', undefined, 'run']);
		expect(await readSettingsAt(database, 't', 'q3')).toMatchObject({ turnContext: turnContext().payload, model: 'm', activeTools: null });
	});

	it('DB-15: an empty thread, and one whose cursor points at nothing', async () => {
		const database = await setupDatabase();
		await database.threads.bulkAdd([threadRow('empty'), threadRow('t', { leafId: 'gone' })]);
		await database.nodes.add(treeNode('q', null, { ord: '1', forkSegmentId: 'root' }));
		expect(await readThreadView(database, 'empty', { endId: null, limit: 5 })).toMatchObject({
			nodes: [],
			startsAtRoot: true,
			endsAtLeaf: true
		});
		const view = await readThreadView(database, 't', { endId: null, limit: 5 });
		expect([view?.nodes.map((node) => node.id), view?.thread.leafId, view?.endsAtLeaf]).toEqual([['q'], 'q', true]);
	});
});

describe('names of messages', () => {
	it('DB-31: the newest living label of those under a message, or on the branch; an empty one takes the name away', async () => {
		const database = await setupDatabase();
		await database.threads.add(threadRow('t', { leafId: 'b' }));
		const label = (id: string, seq: number, targetId: string, text: string | null, fields: Partial<TreeNode> = {}) =>
			treeNode(id, targetId, { seq, ...fields, content: { type: 'label', payload: { targetId, label: text } } });
		await database.nodes.bulkAdd([
			treeNode('q', null, { forkSegmentId: 'root' }),
			treeNode('a', 'q', { content: answer('a') }),
			treeNode('b', 'a'),
			label('l1', 11, 'q', 'old'),
			label('l2', 12, 'q', 'new'),
			label('l3', 13, 'a', 'was'),
			label('l4', 14, 'a', null),
			label('l5', 15, 'b', 'gone', { deleted: true })
		]);
		const view = await readThreadView(database, 't', { endId: null, limit: 9 });
		expect(view?.labelsById).toEqual(new Map([['q', 'new']]));
		expect(view?.nodes.map((node) => node.id)).toEqual(['q', 'a', 'b']);
	});
});

describe('connections', () => {
	it('DB-16: the Guide is always there, and chosen when what was chosen is gone, off, or unreadable', async () => {
		const database = await setupDatabase();
		const choose = (value: never) => database.kv.put({ ns: 'app', key: 'defaultModel', value, updatedAt: 1 });
		const guide = { connectionId: 'guide', model: 'guide' };
		expect(await readConnections(database)).toEqual({ connections: [guideConnection], choice: guide });
		await database.providers.bulkAdd([
			{ ...guideConnection, id: 'b', createdAt: 2 },
			{ ...guideConnection, id: 'a', createdAt: 1, enabled: false }
		]);
		await choose({ connectionId: 'b', model: 'm' } as never);
		const read = await readConnections(database);
		expect([read.connections.map((connection) => connection.id), read.choice]).toEqual([
			['a', 'b', 'guide'],
			{ connectionId: 'b', model: 'm' }
		]);
		for (const value of [{ connectionId: 'a', model: 'm' }, { connectionId: 'gone', model: 'm' }, 'text', null, { connectionId: 1 }]) {
			await choose(value as never);
			expect((await readConnections(database)).choice).toEqual(guide);
		}
	});
});
