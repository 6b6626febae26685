import { describe, expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { answerNext, ask, newTurnIds, setupEngine, setupThread, turnSettings, type TestEngine } from '../test-engine.ts';

const refused = (code: string) => ({ ok: false, error: { code } });
const leafOf = async (engine: TestEngine, threadId: string) => (await engine.database.threads.get(threadId))?.leafId;

async function regenerate(engine: TestEngine, threadId: string, nodeId: string, text: string) {
	const ids = newTurnIds();
	await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'regenerate', nodeId });
	await answerNext(engine, ids.runId, text);
	return ids;
}

async function edit(engine: TestEngine, threadId: string, nodeId: string, text: string) {
	const ids = newTurnIds();
	await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'edit', nodeId, text });
	await answerNext(engine, ids.runId, `answer to ${text}`);
	return ids;
}

describe('thread.selectBranch', () => {
	it('ENG-14: switching back brings the whole branch back, as it was viewed', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q1', 'a1');
		const second = await ask(engine, threadId, 'q2', 'a2');
		const other = await edit(engine, threadId, second.messageNodeId, 'q2 better');
		const third = await ask(engine, threadId, 'q3', 'a3');
		const newest = await edit(engine, threadId, first.messageNodeId, 'q1 better');
		expect(await leafOf(engine, threadId)).toBe(newest.answerNodeId);
		const select = (nodeId: string) => engine.send('thread.selectBranch', { threadId, nodeId });
		expect(await select(first.messageNodeId)).toEqual({ ok: true, value: { leafId: third.answerNodeId } });
		expect(await select(second.messageNodeId)).toEqual({ ok: true, value: { leafId: second.answerNodeId } });
		await select(newest.messageNodeId);
		expect(await select(first.messageNodeId)).toEqual({ ok: true, value: { leafId: second.answerNodeId } });
		expect(await select(other.messageNodeId)).toEqual({ ok: true, value: { leafId: third.answerNodeId } });
		expect(await leafOf(engine, threadId)).toBe(third.answerNodeId);
	});

	it('ENG-14: a new answer elsewhere does not change what another fork remembers', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q1', 'a1');
		await regenerate(engine, threadId, first.answerNodeId, 'a1 again');
		await engine.send('thread.selectBranch', { threadId, nodeId: first.answerNodeId });
		const second = await ask(engine, threadId, 'q2', 'a2');
		await regenerate(engine, threadId, second.answerNodeId, 'a2 again');
		const choices = await engine.database.forkChoices.toArray();
		expect(choices.find((choice) => choice.parentId === first.messageNodeId)?.childId).toBe(first.answerNodeId);
	});

	it('ENG-14: an unknown thread, a stranger, and a tombstone are refused', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const otherId = await setupThread(engine);
		const { messageNodeId, answerNodeId } = await ask(engine, threadId, 'q', 'a');
		await engine.send('node.delete', { threadId, nodeId: answerNodeId });
		expect(await engine.send('thread.selectBranch', { threadId: newId(), nodeId: messageNodeId })).toEqual(refused('thread-not-found'));
		expect(await engine.send('thread.selectBranch', { threadId: otherId, nodeId: messageNodeId })).toEqual(refused('node-not-found'));
		expect(await engine.send('thread.selectBranch', { threadId, nodeId: answerNodeId })).toEqual(refused('node-not-found'));
	});
});

describe('node.delete', () => {
	it('ENG-20: a tombstone with a stamp; payload, children and place stay, and the outbox names it', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q1', 'a1');
		const second = await ask(engine, threadId, 'q2', 'a2');
		const before = await engine.database.nodes.get(first.answerNodeId);
		const answer = await engine.send('node.delete', { threadId, nodeId: first.answerNodeId });
		expect(answer).toEqual({ ok: true, value: { leafId: second.answerNodeId } });
		const { deletedOrd, ...after } = (await engine.database.nodes.get(first.answerNodeId)) ?? {};
		expect(after).toEqual({ ...before, deleted: true });
		expect(String(deletedOrd) > String(before?.ord)).toBe(true);
		expect(await engine.database.outbox.toArray()).toMatchObject([
			{ key: first.answerNodeId, threadId, change: 'deleted', ord: deletedOrd }
		]);
		const ids = await ask(engine, threadId, 'q3', 'a3');
		expect((await engine.database.nodes.get(ids.contextNodeId))?.parentId).toBe(second.answerNodeId);
		expect(engine.model.calls[2]?.request.messages.map((message) => message.content[0]?.text)).toEqual(['q1', 'q2', 'a2', 'q3']);
	});

	it('ENG-20: deleting the leaf climbs to the message before it', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const { messageNodeId, answerNodeId } = await ask(engine, threadId, 'q', 'a');
		expect(await engine.send('node.delete', { threadId, nodeId: answerNodeId })).toEqual({ ok: true, value: { leafId: messageNodeId } });
		expect(await engine.send('node.delete', { threadId, nodeId: messageNodeId })).toEqual({ ok: true, value: { leafId: null } });
		expect(await leafOf(engine, threadId)).toBeNull();
	});

	it('ENG-20: what is left of the versions of a deleted leaf comes into view', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q', 'a');
		const again = await regenerate(engine, threadId, first.answerNodeId, 'b');
		expect(await engine.send('node.delete', { threadId, nodeId: again.answerNodeId })).toEqual({
			ok: true,
			value: { leafId: first.answerNodeId }
		});
	});

	it('ENG-20: with no message before it, another beginning of the thread comes into view', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q', 'a');
		const other = await edit(engine, threadId, first.messageNodeId, 'q better');
		await engine.send('node.delete', { threadId, nodeId: other.answerNodeId });
		expect(await engine.send('node.delete', { threadId, nodeId: other.messageNodeId })).toEqual({
			ok: true,
			value: { leafId: first.answerNodeId }
		});
	});

	it('ENG-20: refused while an answer comes, for unknown nodes, and a second time', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const { messageNodeId } = await ask(engine, threadId, 'q', 'a');
		expect(await engine.send('node.delete', { threadId: newId(), nodeId: messageNodeId })).toEqual(refused('thread-not-found'));
		expect(await engine.send('node.delete', { threadId, nodeId: newId() })).toEqual(refused('node-not-found'));
		await engine.send('node.delete', { threadId, nodeId: messageNodeId });
		expect(await engine.send('node.delete', { threadId, nodeId: messageNodeId })).toEqual(refused('node-not-found'));
		await engine.send('turn.submit', { threadId, ...turnSettings, ...newTurnIds(), text: 'q2' });
		expect(await engine.send('node.delete', { threadId, nodeId: messageNodeId })).toEqual(refused('thread-busy'));
		expect(await engine.send('node.restore', { threadId, nodeId: messageNodeId })).toEqual(refused('thread-busy'));
	});
});

describe('node.restore', () => {
	it('ENG-21: everything is as before, under a later stamp, and a second time changes nothing', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const { answerNodeId, messageNodeId } = await ask(engine, threadId, 'q', 'a');
		const before = await engine.database.nodes.get(answerNodeId);
		await engine.send('node.delete', { threadId, nodeId: answerNodeId });
		const tombstone = await engine.database.nodes.get(answerNodeId);
		expect(await leafOf(engine, threadId)).toBe(messageNodeId);
		expect(await engine.send('node.restore', { threadId, nodeId: answerNodeId, leafId: answerNodeId })).toEqual({ ok: true, value: {} });
		const { deletedOrd, ...after } = (await engine.database.nodes.get(answerNodeId)) ?? {};
		expect(after).toEqual(before);
		expect(String(deletedOrd) > String(tombstone?.deletedOrd)).toBe(true);
		expect(await leafOf(engine, threadId)).toBe(answerNodeId);
		await engine.send('node.restore', { threadId, nodeId: answerNodeId });
		expect((await engine.database.outbox.toArray()).map((row) => row.change)).toEqual(['deleted', 'restored']);
	});

	it('ENG-21: in a thread of which nothing was left, what comes back is in view', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const { answerNodeId, messageNodeId } = await ask(engine, threadId, 'q', 'a');
		await engine.send('node.delete', { threadId, nodeId: answerNodeId });
		await engine.send('node.delete', { threadId, nodeId: messageNodeId });
		await engine.send('node.restore', { threadId, nodeId: messageNodeId });
		expect(await leafOf(engine, threadId)).toBe(messageNodeId);
	});

	it('ENG-21: unknown threads and nodes are refused; a cursor at a tombstone or a stranger is not taken', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const other = await ask(engine, await setupThread(engine), 'q', 'a');
		const first = await ask(engine, threadId, 'q', 'a');
		const second = await ask(engine, threadId, 'q2', 'a2');
		expect(await engine.send('node.restore', { threadId: newId(), nodeId: first.answerNodeId })).toEqual(refused('thread-not-found'));
		expect(await engine.send('node.restore', { threadId, nodeId: other.answerNodeId })).toEqual(refused('node-not-found'));
		await engine.send('node.delete', { threadId, nodeId: first.answerNodeId });
		await engine.send('node.delete', { threadId, nodeId: first.messageNodeId });
		for (const leafId of [first.messageNodeId, other.answerNodeId, newId()]) {
			await engine.send('node.restore', { threadId, nodeId: first.answerNodeId, leafId });
			expect(await leafOf(engine, threadId)).toBe(second.answerNodeId);
		}
	});
});
