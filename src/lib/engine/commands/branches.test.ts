import { describe, expect, it } from 'vitest';
import type { NodeContent } from '#lib/core/domain/nodes.ts';
import { newId } from '#lib/platform/ids.ts';
import { writeTransaction } from '#lib/storage/writes/write-transaction.ts';
import { answerNext, ask, newTurnIds, setupEngine, setupThread, turnSettings, type TestEngine } from '../test-engine.ts';

const refused = (code: string) => ({ ok: false, error: { code } });

async function threadOf(engine: TestEngine, threadId: string) {
	const thread = await engine.database.threads.get(threadId);
	if (!thread) throw new Error('no thread');
	return thread;
}

/** Three questions in a row, and a second version of the second one: `q1 a1 (q2 a2 q3 a3 | q2b a2b)`, the latter in view. */
async function setupForked() {
	const engine = await setupEngine();
	const threadId = await setupThread(engine);
	const first = await ask(engine, threadId, 'q1', 'a1');
	const second = await ask(engine, threadId, 'q2', 'a2');
	const third = await ask(engine, threadId, 'q3', 'a3');
	const other = newTurnIds();
	await engine.send('turn.fork', { threadId, ...turnSettings, ...other, kind: 'edit', nodeId: second.messageNodeId, text: 'q2b' });
	await answerNext(engine, other.runId, 'a2b');
	return { engine, threadId, first, second, third, other };
}

const living = async (engine: TestEngine, threadId: string) =>
	(await engine.nodes(threadId))
		.filter((node) => node.deleted !== true && (node.type === 'user_message' || node.type === 'assistant_message'))
		.map((node) => node.id);

/** Hangs contents in a row under a node, as another engine version would have; the cursor goes to the last. */
async function hang(engine: TestEngine, threadId: string, parentId: string, contents: readonly NodeContent[]): Promise<string[]> {
	const ids = contents.map(() => newId());
	await writeTransaction(engine.deps, ['threads', 'nodes'], async (unit) => {
		for (const [at, content] of contents.entries())
			await unit.append(threadId, { id: ids[at] ?? '', parentId: at === 0 ? parentId : (ids[at - 1] ?? ''), content });
		const thread = await unit.thread(threadId);
		if (thread) unit.putThread({ ...thread, leafId: ids.at(-1) ?? null });
	});
	return ids;
}

const call: NodeContent = { type: 'tool_call', payload: { itemId: 'call', toolName: 't', params: {}, level: 'builtin' } };
const result: NodeContent = { type: 'tool_result', payload: { itemId: 'call', ok: true, status: 'ok', contentForLlm: [] } };

describe('thread.selectBranch', () => {
	it('ENG-30: the end, the message itself and the place before it are three places', async () => {
		const { engine, threadId, first, second, third } = await setupForked();
		const select = (nodeId: string, position?: 'end' | 'at' | 'before') =>
			engine.send('thread.selectBranch', { threadId, nodeId, ...(position ? { position } : {}) });
		expect(await select(second.messageNodeId)).toMatchObject({ value: { leafId: third.answerNodeId } });
		expect(await select(second.messageNodeId, 'end')).toMatchObject({ value: { leafId: third.answerNodeId } });
		expect(await select(second.answerNodeId, 'at')).toMatchObject({ value: { leafId: second.answerNodeId } });
		expect(await select(second.messageNodeId, 'before')).toMatchObject({ value: { leafId: first.answerNodeId } });
		expect(await select(first.messageNodeId, 'before')).toMatchObject({ value: { leafId: null } });
		expect((await threadOf(engine, threadId)).leafId).toBe(null);
	});

	it('ENG-30: what is asked before the first message begins a second beginning', async () => {
		const { engine, threadId, first } = await setupForked();
		await engine.send('thread.selectBranch', { threadId, nodeId: first.messageNodeId, position: 'before' });
		const again = await ask(engine, threadId, 'q1b', 'a1b');
		const nodes = await engine.nodes(threadId);
		const context = nodes.find((node) => node.id === again.contextNodeId);
		expect([context?.parentId, context?.forkSegmentId]).toEqual([null, 'root']);
	});

	it('ENG-30: a call that waits for its result is no place to go on from', async () => {
		const { engine, threadId, other } = await setupForked();
		const [callId, resultId] = await hang(engine, threadId, other.answerNodeId, [call, result]);
		const at = (nodeId = '') => engine.send('thread.selectBranch', { threadId, nodeId, position: 'at' });
		expect(await at(callId)).toMatchObject(refused('node-inside-tool-call'));
		expect(await at(resultId)).toMatchObject({ value: { leafId: resultId } });
		expect(await engine.send('thread.selectBranch', { threadId, nodeId: callId ?? '' })).toMatchObject({ value: { leafId: resultId } });
	});
});

describe('branch.delete', () => {
	it('ENG-31: a branch goes as one deletion, and another version comes into view', async () => {
		const { engine, threadId, second, third, other } = await setupForked();
		const receipt = await engine.send('branch.delete', { threadId, nodeId: other.messageNodeId });
		expect(receipt).toMatchObject({ ok: true, value: { count: 2, leafId: third.answerNodeId } });
		const nodes = await engine.nodes(threadId);
		const gone = nodes.filter((node) => node.deleted);
		expect(gone.map((node) => node.id)).toEqual([other.messageNodeId, other.answerNodeId]);
		expect(new Set(gone.map((node) => node.deletedOrd)).size).toBe(1);
		expect((await engine.database.outbox.toArray()).map((row) => [row.key, row.change])).toEqual(gone.map((node) => [node.id, 'deleted']));
		expect(await living(engine, threadId)).toContain(second.messageNodeId);
	});

	it('ENG-31: a branch out of view leaves the cursor, and what was deleted before stays its own deletion', async () => {
		const { engine, threadId, second, third, other } = await setupForked();
		await engine.send('node.delete', { threadId, nodeId: third.messageNodeId });
		const earlier = (await engine.nodes(threadId)).find((node) => node.id === third.messageNodeId)?.deletedOrd;
		const receipt = await engine.send('branch.delete', { threadId, nodeId: second.messageNodeId });
		expect(receipt).toMatchObject({ value: { count: 3, leafId: other.answerNodeId } });
		expect((await engine.nodes(threadId)).find((node) => node.id === third.messageNodeId)?.deletedOrd).toBe(earlier);
		if (receipt.ok) await engine.send('branch.restore', { threadId, deletion: receipt.value.deletion });
		expect(await living(engine, threadId)).not.toContain(third.messageNodeId);
		expect(await living(engine, threadId)).toContain(third.answerNodeId);
	});

	it('ENG-31: the only branch may go, and nothing is left in view', async () => {
		const { engine, threadId, first } = await setupForked();
		expect(await engine.send('branch.delete', { threadId, nodeId: first.messageNodeId })).toMatchObject({
			value: { count: 8, leafId: null }
		});
		expect(await engine.send('branch.delete', { threadId, nodeId: first.messageNodeId })).toMatchObject(refused('node-not-found'));
	});

	it('ENG-31: not while an answer comes', async () => {
		const { engine, threadId, first } = await setupForked();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...newTurnIds(), text: 'q4' });
		for (const receipt of [
			await engine.send('branch.delete', { threadId, nodeId: first.messageNodeId }),
			await engine.send('branch.deleteOthers', { threadId, leafId: (await threadOf(engine, threadId)).leafId ?? '' }),
			await engine.send('branch.restore', { threadId, deletion: '000000000-0000-0000000000000000' })
		])
			expect(receipt).toMatchObject(refused('thread-busy'));
	});
});

describe('branch.deleteOthers', () => {
	it('ENG-32: the path in view and its names stay, all else goes, and comes back', async () => {
		const { engine, threadId, first, second, third, other } = await setupForked();
		await engine.send('node.label', { threadId, labelNodeId: newId(), targetId: first.answerNodeId, label: 'here' });
		const receipt = await engine.send('branch.deleteOthers', { threadId, leafId: other.answerNodeId });
		expect(receipt).toMatchObject({ value: { count: 4 } });
		expect(await living(engine, threadId)).toEqual([first.messageNodeId, first.answerNodeId, other.messageNodeId, other.answerNodeId]);
		expect((await engine.nodes(threadId)).find((node) => node.type === 'label')?.deleted).toBeUndefined();
		if (!receipt.ok || receipt.value.deletion === null) throw new Error('a deletion has a name');
		expect(await engine.send('branch.restore', { threadId, deletion: receipt.value.deletion })).toMatchObject({ value: { count: 4 } });
		expect(await living(engine, threadId)).toEqual(
			[first, second, third, other].flatMap((turn) => [turn.messageNodeId, turn.answerNodeId])
		);
		expect((await threadOf(engine, threadId)).leafId).toBe(other.answerNodeId);
	});

	it('ENG-32: a cursor that has moved, and a tree of one branch', async () => {
		const { engine, threadId, third, other } = await setupForked();
		expect(await engine.send('branch.deleteOthers', { threadId, leafId: third.answerNodeId })).toMatchObject(refused('cursor-moved'));
		await engine.send('branch.deleteOthers', { threadId, leafId: other.answerNodeId });
		expect(await engine.send('branch.deleteOthers', { threadId, leafId: other.answerNodeId })).toMatchObject({
			value: { count: 0, deletion: null }
		});
	});
});

describe('branch.restore', () => {
	it('ENG-33: one deletion comes back with the cursor that was asked for; another one, and none at all, do not', async () => {
		const { engine, threadId, third, other } = await setupForked();
		const gone = await engine.send('branch.delete', { threadId, nodeId: other.messageNodeId });
		if (!gone.ok) throw new Error(gone.error.code);
		await engine.send('node.delete', { threadId, nodeId: third.answerNodeId });
		const { deletion } = gone.value;
		expect(await engine.send('branch.restore', { threadId, deletion, leafId: other.answerNodeId })).toMatchObject({ value: { count: 2 } });
		expect((await threadOf(engine, threadId)).leafId).toBe(other.answerNodeId);
		expect(await living(engine, threadId)).not.toContain(third.answerNodeId);
		expect(await engine.send('branch.restore', { threadId, deletion })).toMatchObject(refused('deletion-not-found'));
	});
});

describe('node.label', () => {
	it('ENG-34: a name changes neither the cursor nor the place in the list, and hangs where nothing else will', async () => {
		const { engine, threadId, other } = await setupForked();
		const before = await threadOf(engine, threadId);
		engine.clock.step(5_000);
		const labelNodeId = newId();
		await engine.send('node.label', { threadId, labelNodeId, targetId: other.answerNodeId, label: '  here  ' });
		const after = await threadOf(engine, threadId);
		expect([after.leafId, after.updatedAt, after.lastSeq]).toEqual([before.leafId, before.updatedAt, before.lastSeq + 1]);
		expect((await engine.nodes(threadId)).at(-1)).toMatchObject({
			id: labelNodeId,
			parentId: other.answerNodeId,
			payload: { targetId: other.answerNodeId, label: 'here' }
		});
		const next = await ask(engine, threadId, 'q4', 'a4');
		expect((await engine.nodes(threadId)).find((node) => node.id === next.contextNodeId)?.parentId).toBe(other.answerNodeId);
		await engine.send('node.label', { threadId, labelNodeId: newId(), targetId: other.answerNodeId, label: ' ' });
		expect((await engine.nodes(threadId)).at(-1)).toMatchObject({ payload: { label: null } });
	});

	it('ENG-34: what cannot be seen has no name', async () => {
		const { engine, threadId, other } = await setupForked();
		const name = (targetId: string) => engine.send('node.label', { threadId, labelNodeId: newId(), targetId, label: 'x' });
		expect(await name(other.contextNodeId)).toMatchObject(refused('node-not-found'));
		expect(await name(newId())).toMatchObject(refused('node-not-found'));
	});
});

describe('node.graft', () => {
	it('ENG-35: a stretch is copied with its turn contexts, names its originals, and stays where it was', async () => {
		const { engine, threadId, second, third, other } = await setupForked();
		const before = await engine.nodes(threadId);
		const receipt = await engine.send('node.graft', {
			threadId,
			fromId: third.messageNodeId,
			toId: third.answerNodeId,
			targetId: other.answerNodeId
		});
		expect(receipt).toMatchObject({ ok: true, value: { count: 2 } });
		const nodes = await engine.nodes(threadId);
		expect(nodes.slice(0, before.length)).toEqual(before);
		const copies = nodes.slice(before.length);
		expect(copies.map((node) => [node.type, node.copiedFrom?.nodeId])).toEqual([
			['turn_context', third.contextNodeId],
			['user_message', third.messageNodeId],
			['assistant_message', third.answerNodeId]
		]);
		expect(copies[0]?.parentId).toBe(other.answerNodeId);
		expect(receipt).toMatchObject({ value: { firstId: copies[0]?.id } });
		expect((await threadOf(engine, threadId)).leafId).toBe(copies.at(-1)?.id);
		expect(
			await engine.send('node.graft', { threadId, fromId: other.messageNodeId, toId: second.answerNodeId, targetId: third.answerNodeId })
		).toMatchObject(refused('not-one-branch'));
	});

	it('ENG-35: calls and results are copied in pairs or not at all', async () => {
		const { engine, threadId, third, other } = await setupForked();
		const [callId = '', resultId = ''] = await hang(engine, threadId, other.answerNodeId, [call, result]);
		const graft = (fromId: string, toId: string) => engine.send('node.graft', { threadId, fromId, toId, targetId: third.answerNodeId });
		expect(await graft(callId, callId)).toMatchObject(refused('node-inside-tool-call'));
		expect(await graft(resultId, resultId)).toMatchObject(refused('node-inside-tool-call'));
		expect(await graft(callId, resultId)).toMatchObject({ ok: true, value: { count: 2 } });
	});
});

describe('thread.fork', () => {
	it('ENG-36: a path becomes a thread that says where it came from; tombstones and runs stay behind', async () => {
		const { engine, threadId, first, second, third } = await setupForked();
		await engine.send('node.label', { threadId, labelNodeId: newId(), targetId: second.answerNodeId, label: 'named' });
		await engine.send('node.delete', { threadId, nodeId: first.answerNodeId });
		const newThreadId = newId();
		const receipt = await engine.send('thread.fork', {
			threadId,
			nodeId: third.messageNodeId,
			newThreadId,
			scope: 'path',
			title: 'A  copy'
		});
		expect(receipt).toMatchObject({ ok: true, value: { count: 4 } });
		expect(await threadOf(engine, newThreadId)).toMatchObject({ parentThreadId: threadId, title: 'A copy', stats: { turns: 3 } });
		const copies = await engine.nodes(newThreadId);
		expect(copies.map((node) => [node.type, node.copiedFrom?.nodeId])).toEqual([
			['turn_context', first.contextNodeId],
			['user_message', first.messageNodeId],
			['turn_context', second.contextNodeId],
			['user_message', second.messageNodeId],
			['assistant_message', second.answerNodeId],
			['turn_context', third.contextNodeId],
			['user_message', third.messageNodeId],
			['label', second.answerNodeId]
		]);
		expect((await threadOf(engine, newThreadId)).leafId).toBe(copies.at(-2)?.id);
		expect(await engine.database.runs.where('threadId').equals(newThreadId).count()).toBe(0);
		expect(
			await engine.send('thread.fork', { threadId, nodeId: third.messageNodeId, newThreadId, scope: 'path', title: '' })
		).toMatchObject(refused('thread-exists'));
	});

	it('ENG-36: with all that lies under it, and the branch in view in view', async () => {
		const { engine, threadId, first, other } = await setupForked();
		const newThreadId = newId();
		await engine.send('thread.fork', { threadId, nodeId: first.answerNodeId, newThreadId, scope: 'below', title: 'all' });
		const copies = await engine.nodes(newThreadId);
		expect(copies).toHaveLength((await engine.nodes(threadId)).length);
		const leafId = (await threadOf(engine, newThreadId)).leafId;
		expect(copies.find((node) => node.id === leafId)?.copiedFrom?.nodeId).toBe(other.answerNodeId);
		await engine.send('thread.delete', { threadId });
		expect(await engine.nodes(newThreadId)).toEqual(copies);
	});

	it('ENG-36: not inside a tool call', async () => {
		const { engine, threadId, other } = await setupForked();
		const [callId = ''] = await hang(engine, threadId, other.answerNodeId, [call]);
		expect(await engine.send('thread.fork', { threadId, nodeId: callId, newThreadId: newId(), scope: 'path', title: '' })).toMatchObject(
			refused('node-inside-tool-call')
		);
	});
});

describe('thread.repair', () => {
	it('ENG-37: a sound thread is left alone', async () => {
		const { engine, threadId } = await setupForked();
		const before = await engine.nodes(threadId);
		expect(await engine.send('thread.repair', { threadId })).toMatchObject({ value: { isRepaired: false } });
		expect(await engine.nodes(threadId)).toEqual(before);
	});

	it('ENG-37: a cursor that leads nowhere finds the newest branch that is whole, and the conversation says so once', async () => {
		const { engine, threadId, second, other } = await setupForked();
		// As a half-written import would leave it.
		await engine.database.nodes.delete(second.contextNodeId);
		await engine.database.threads.update(threadId, { leafId: newId(), lastSeq: 3 });
		expect(await engine.send('thread.repair', { threadId })).toMatchObject({ value: { isRepaired: true } });
		const notice = (await engine.nodes(threadId)).at(-1);
		expect(notice).toMatchObject({
			type: 'system_notice',
			parentId: other.answerNodeId,
			payload: { code: 'tree-repaired', data: { cutOff: 4, doubleSeqs: 0, isCursorLost: true } }
		});
		expect(await threadOf(engine, threadId)).toMatchObject({ leafId: notice?.id, lastSeq: notice?.seq });
		expect(await engine.send('thread.repair', { threadId })).toMatchObject({ value: { isRepaired: false } });
		// Nothing was thrown away.
		expect(await living(engine, threadId)).toContain(second.messageNodeId);
	});

	it('ENG-37: double numbers and a circle are told, and the thread goes on', async () => {
		const { engine, threadId, first, third } = await setupForked();
		await engine.database.nodes.update(first.contextNodeId, { parentId: third.answerNodeId });
		await engine.database.nodes.update(third.answerNodeId, { seq: 2 });
		expect(await engine.send('thread.repair', { threadId })).toMatchObject({ value: { isRepaired: true } });
		const again = await ask(engine, threadId, 'on we go', 'yes');
		expect((await threadOf(engine, threadId)).leafId).toBe(again.answerNodeId);
	});
});
