import { describe, expect, it, vi } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { answerNext, ask, clientId, dump, newTurnIds, said, setupEngine, setupThread, started, turnSettings } from '../test-engine.ts';
import { tablesOfThread } from './thread-delete.ts';

const notFound = { ok: false, error: { code: 'thread-not-found' } };

describe('thread.create', () => {
	it('ENG-10: makes an empty thread, once', async () => {
		const engine = await setupEngine();
		const threadId = newId();
		expect(await engine.send('thread.create', { threadId })).toEqual({ ok: true, value: {} });
		expect(await engine.database.threads.get(threadId)).toMatchObject({ leafId: null, lastSeq: 0, title: '', titleSource: 'none' });
		expect(await engine.send('thread.create', { threadId })).toEqual({ ok: false, error: { code: 'thread-exists' } });
	});
});

describe('thread.rename and thread.update', () => {
	it("ENG-11: a person's title is cut to 80 code points, stamped, and never overwritten by a made one", async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		expect(await engine.send('thread.rename', { threadId, title: `  ${'🌳 '.repeat(100)}` })).toEqual({
			ok: true,
			value: { title: `${'🌳 '.repeat(40).slice(0, -1)}…` }
		});
		const named = await engine.database.threads.get(threadId);
		expect(named?.stamps.title).toBeDefined();
		await ask(engine, threadId, 'What is a tree?', 'A plant.');
		expect(await engine.database.threads.get(threadId)).toMatchObject({ title: named?.title, titleSource: 'person' });
	});

	it('ENG-11: an empty title and an unknown thread are refused', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		expect(await engine.send('thread.rename', { threadId, title: ' \n ' })).toEqual({ ok: false, error: { code: 'title-empty' } });
		expect(await engine.send('thread.rename', { threadId: newId(), title: 'x' })).toEqual(notFound);
		expect(await engine.send('thread.update', { threadId: newId(), pinned: true })).toEqual(notFound);
	});

	it('ENG-12: only what is given changes, each field under a later stamp', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		await engine.send('thread.update', { threadId, pinned: true, tags: ['a', 'b', 'a'] });
		const first = await engine.database.threads.get(threadId);
		expect(first).toMatchObject({ pinned: 1, archived: 0, tags: ['a', 'b'], folderId: null });
		engine.clock.jump(-60_000);
		await engine.send('thread.update', { threadId, pinned: false, folderId: 'f' });
		const second = await engine.database.threads.get(threadId);
		expect(second).toMatchObject({ pinned: 0, archived: 0, tags: ['a', 'b'], folderId: 'f' });
		expect(String(second?.stamps.pinned) > String(first?.stamps.pinned)).toBe(true);
		expect(second?.stamps.tags).toBe(first?.stamps.tags);
		expect(second?.stamps.archived).toBeUndefined();
	});

	it('ENG-28: what is no message moves neither the cursor nor the place in the list', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		await ask(engine, threadId, 'q', 'a');
		const before = await engine.database.threads.get(threadId);
		const nodes = await engine.nodes(threadId);
		engine.clock.step(5_000);
		await engine.send('thread.rename', { threadId, title: 'new' });
		await engine.send('thread.update', { threadId, archived: true, tags: ['x'] });
		await engine.send('settings.update', { defaultConnectionId: 'guide', defaultModel: 'guide' });
		expect(await engine.database.threads.get(threadId)).toMatchObject({
			leafId: before?.leafId,
			updatedAt: before?.updatedAt,
			lastSeq: before?.lastSeq
		});
		expect(await engine.nodes(threadId)).toEqual(nodes);
	});
});

describe('thread.delete', () => {
	it('ENG-13: takes everything of the thread in every table, and nothing of another', async () => {
		const engine = await setupEngine();
		const [threadId, otherId] = [await setupThread(engine), await setupThread(engine)];
		for (const id of [threadId, otherId]) {
			const first = await ask(engine, id, 'q', 'a');
			const ids = newTurnIds();
			await engine.send('turn.fork', { threadId: id, ...turnSettings, ...ids, kind: 'regenerate', nodeId: first.answerNodeId });
			await answerNext(engine, ids.runId, 'b');
			for (const table of ['queue', 'approvals', 'interactions', 'plans', 'reviewSnapshots', 'notifications', 'attachments'] as const)
				await engine.database.table(table).add({ id: newId(), threadId: id, turnId: newId(), toolCallId: newId() });
			await engine.database.table('artifacts').add({ threadId: id, path: 'p' });
			await engine.database.importOrigins.add({ sourceId: 's', externalId: id, threadId: id, importedAt: 1 });
			await engine.database.inflight.add({ threadId: id, runId: 'r', turnId: 't', nodeId: 'n', savedAt: 1, text: 'x', reasoning: '' });
		}
		const counts = async (id: string) =>
			Promise.all(tablesOfThread.map((table) => engine.database.table(table).where('threadId').equals(id).count()));
		const before = await counts(otherId);
		expect(before.every((count) => count > 0)).toBe(true);
		expect(await engine.send('thread.delete', { threadId })).toEqual({ ok: true, value: {} });
		expect(await counts(threadId)).toEqual(tablesOfThread.map(() => 0));
		expect(await counts(otherId)).toEqual(before);
		expect(await engine.database.threads.toCollection().primaryKeys()).toEqual([otherId]);
		expect(await engine.database.table('tombstones').toCollection().primaryKeys()).toEqual([threadId]);
	});

	it('ENG-13: the receipt outlives the thread; a thread that is not there is refused', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const submissionId = newId();
		await engine.send('thread.delete', { threadId }, submissionId);
		expect(await engine.database.commandReceipts.get(`${clientId}\u0000${submissionId}`)).toBeDefined();
		expect(await engine.send('thread.delete', { threadId }, submissionId)).toEqual({ ok: true, value: {} });
		expect(await engine.send('thread.delete', { threadId })).toEqual(notFound);
	});

	it('ENG-13: when one step fails everything is still there, at every step', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		await ask(engine, threadId, 'q', 'a');
		const before = await dump(engine);
		vi.spyOn(console, 'error').mockReturnValue();
		const plantIn = async (tableName: string) => {
			vi.spyOn(engine.database.tableBelowHooks(tableName), 'mutate').mockRejectedValueOnce(new Error(`planted in ${tableName}`));
			return engine.send('thread.delete', { threadId });
		};
		for (const table of ['nodes', 'runs', 'threads', 'tombstones', 'commandReceipts']) {
			expect(await plantIn(table), table).toMatchObject({ ok: false, error: { code: 'engine-failed' } });
			expect(await dump(engine), table).toEqual(before);
		}
		expect(await engine.send('thread.delete', { threadId })).toEqual({ ok: true, value: {} });
		vi.mocked(console.error).mockRestore();
	});

	it('ENG-13: a run is stopped first and leaves nothing behind', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: 'q' });
		const call = await engine.model.nextCall();
		call.say(started, said('half an answer'));
		await vi.waitFor(async () => expect(await engine.database.inflight.count()).toBe(1));
		expect(await engine.send('thread.delete', { threadId })).toEqual({ ok: true, value: {} });
		for (const table of ['threads', ...tablesOfThread]) expect(await engine.database.table(table).count(), table).toBe(0);
	});

	it('ENG-13: a run whose end cannot be written does not keep its thread from being deleted', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: 'q' });
		const call = await engine.model.nextCall();
		call.say(started, said('half'));
		await vi.waitFor(async () => expect(await engine.database.inflight.count()).toBe(1));
		const full = Object.assign(new Error('planted'), { name: 'QuotaExceededError' });
		const nodes = engine.database.tableBelowHooks('nodes');
		const { mutate } = nodes;
		vi.spyOn(nodes, 'mutate').mockImplementation((request) => (request.type === 'add' ? Promise.reject(full) : mutate(request)));
		expect(await engine.send('thread.delete', { threadId })).toEqual({ ok: true, value: {} });
		for (const table of ['threads', ...tablesOfThread]) expect(await engine.database.table(table).count(), table).toBe(0);
	});
});

describe('settings.update and ping', () => {
	it('ENG-25: the choice of a model is kept with a stamp that only grows', async () => {
		const engine = await setupEngine();
		await engine.send('settings.update', { defaultConnectionId: 'c', defaultModel: 'm' });
		const first = await engine.database.kv.get(['app', 'defaultModel']);
		expect(first?.value).toEqual({ connectionId: 'c', model: 'm' });
		engine.clock.jump(-1_000_000);
		await engine.send('settings.update', { defaultConnectionId: 'd', defaultModel: 'n' });
		const second = await engine.database.kv.get(['app', 'defaultModel']);
		expect(second?.value).toEqual({ connectionId: 'd', model: 'n' });
		expect(String(second?.stamp) > String(first?.stamp)).toBe(true);
	});

	it('ENG-26: ping answers the epoch and leaves no trace', async () => {
		const engine = await setupEngine();
		expect(await engine.send('ping', {})).toEqual({ ok: true, value: { epoch: 1 } });
		expect(await engine.database.commandReceipts.count()).toBe(0);
	});
});
