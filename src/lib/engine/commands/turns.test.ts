import { describe, expect, it, vi } from 'vitest';
import { textOf } from '#lib/core/domain/nodes.ts';
import { newId } from '#lib/platform/ids.ts';
import {
	answerNext,
	ask,
	ended,
	newTurnIds,
	said,
	setupEngine,
	setupThread,
	started,
	turnSettings,
	type TestEngine
} from '../test-engine.ts';

const refused = (code: string) => ({ ok: false, error: { code } });

/** `text-or-type < parent` of every node, by seq. */
async function shape(engine: TestEngine, threadId: string): Promise<string[]> {
	const nodes = await engine.nodes(threadId);
	const nameOf = (id: string | null) => {
		const node = nodes.find((other) => other.id === id);
		if (!node) return String(id);
		return node.type === 'user_message' || node.type === 'assistant_message' ? textOf(node.payload.content) : `ctx${node.seq}`;
	};
	return nodes.map((node) => `${nameOf(node.id)} < ${nameOf(node.parentId)}`);
}

const leafOf = async (engine: TestEngine, threadId: string) => (await engine.database.threads.get(threadId))?.leafId;

describe('node.saveVersion', () => {
	it('ENG-38: a version stands beside the question, unanswered, with the cursor at it, and can be answered', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'first', 'one');
		const savedId = newId();
		const save = (nodeId: string, messageNodeId: string) =>
			engine.send('node.saveVersion', { threadId, nodeId, messageNodeId, text: 'second' });
		expect(await save(first.messageNodeId, savedId)).toMatchObject({ ok: true });
		expect((await shape(engine, threadId)).slice(-1)).toEqual(['second < null']);
		expect([await leafOf(engine, threadId), await engine.database.runs.where('state').equals('preparing').count()]).toEqual([savedId, 0]);
		expect(await save(first.answerNodeId, newId())).toMatchObject(refused('node-not-a-question'));
		expect(await save(newId(), newId())).toMatchObject(refused('node-not-found'));
		const { messageNodeId: _, ...ids } = newTurnIds();
		const fork = { threadId, ...turnSettings, ...ids, kind: 'regenerate', nodeId: savedId } as const;
		expect(await engine.send('turn.fork', fork)).toMatchObject({ ok: true });
		expect(await save(savedId, newId())).toMatchObject(refused('thread-busy'));
	});
});

describe('turn.submit', () => {
	it('ENG-15: a first question makes its thread in the same write, and a refused one makes none', async () => {
		const engine = await setupEngine();
		const threadId = newId();
		const first = { threadId, ...turnSettings, createsThread: true, text: 'What is a tree?' } as const;
		expect(await engine.send('turn.submit', { ...first, ...newTurnIds(), connectionId: 'gone' })).toMatchObject(
			refused('connection-not-found')
		);
		expect(await engine.database.threads.count()).toBe(0);
		expect(await engine.send('turn.submit', { ...first, ...newTurnIds() })).toMatchObject({ ok: true });
		expect(await engine.database.threads.get(threadId)).toMatchObject({ title: 'What is a tree?', lastSeq: 2, stats: { turns: 1 } });
		expect(await engine.send('turn.submit', { ...first, ...newTurnIds() })).toMatchObject(refused('thread-exists'));
		expect(await engine.nodes(threadId)).toHaveLength(2);
	});

	it('ENG-15: question, context, cursor, title, run and counters are durable when it is accepted', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		engine.clock.step(1_000);
		await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: '\n  What is\na tree?' });
		expect(await engine.nodes(threadId)).toMatchObject([
			{
				id: ids.contextNodeId,
				parentId: null,
				seq: 1,
				depth: 0,
				type: 'turn_context',
				payload: { turnId: ids.turnId, model: 'guide', locale: 'en' }
			},
			{ id: ids.messageNodeId, parentId: ids.contextNodeId, seq: 2, depth: 1, type: 'user_message' }
		]);
		expect(await engine.database.threads.get(threadId)).toMatchObject({
			leafId: ids.messageNodeId,
			lastSeq: 2,
			title: 'What is',
			titleSource: 'first-line',
			updatedAt: engine.clock.nowMs(),
			stats: { turns: 1 }
		});
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ parentNodeId: ids.messageNodeId, answerNodeId: ids.answerNodeId });
	});

	it('ENG-15: a second question waits for the first answer; another thread does not', async () => {
		const engine = await setupEngine();
		const [threadId, otherId] = [await setupThread(engine), await setupThread(engine)];
		const first = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...first, text: 'q1' });
		expect(await engine.send('turn.submit', { threadId, ...turnSettings, ...newTurnIds(), text: 'q2' })).toEqual(refused('thread-busy'));
		expect(await engine.send('turn.submit', { threadId: otherId, ...turnSettings, ...newTurnIds(), text: 'q' })).toMatchObject({
			ok: true
		});
		await answerNext(engine, first.runId, 'a1');
		expect(await engine.send('turn.submit', { threadId, ...turnSettings, ...newTurnIds(), text: 'q2' })).toMatchObject({ ok: true });
		expect(await shape(engine, threadId)).toEqual(['ctx1 < null', 'q1 < ctx1', 'a1 < q1', 'ctx4 < a1', 'q2 < ctx4']);
	});

	it('ENG-15: an unknown thread and an unknown connection are refused', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const turn = { ...turnSettings, ...newTurnIds(), text: 'q' };
		expect(await engine.send('turn.submit', { threadId: newId(), ...turn })).toEqual(refused('thread-not-found'));
		expect(await engine.send('turn.submit', { threadId, ...turn, connectionId: 'gone' })).toEqual(refused('connection-not-found'));
	});

	it('ENG-15: a cursor at a node that is gone or deleted does not lock the thread', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q1', 'a1');
		await engine.database.threads.update(threadId, { leafId: newId() });
		const second = await ask(engine, threadId, 'q2', 'a2');
		expect((await engine.database.nodes.get(second.contextNodeId))?.parentId).toBe(first.answerNodeId);
		await engine.database.nodes.update(second.answerNodeId, { deleted: true });
		const third = await ask(engine, threadId, 'q3', 'a3');
		expect((await engine.database.nodes.get(third.contextNodeId))?.parentId).toBe(second.messageNodeId);
	});
});

describe('turn.fork', () => {
	it('ENG-16: an edited question is a new version beside the old one, under the message before both', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		await ask(engine, threadId, 'q1', 'a1');
		const second = await ask(engine, threadId, 'q2', 'a2');
		const ids = newTurnIds();
		const edit = { threadId, ...turnSettings, ...ids, kind: 'edit' as const, nodeId: second.messageNodeId, text: 'q2 better' };
		expect(await engine.send('turn.fork', edit)).toEqual({ ok: true, value: {} });
		await answerNext(engine, ids.runId, 'a2 better');
		expect((await shape(engine, threadId)).slice(6)).toEqual(['ctx7 < a1', 'q2 better < ctx7', 'a2 better < q2 better']);
		expect(await leafOf(engine, threadId)).toBe(ids.answerNodeId);
	});

	it('ENG-16: an edited first question is another root', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q1', 'a1');
		const ids = newTurnIds();
		await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'edit', nodeId: first.messageNodeId, text: 'q1 better' });
		await answerNext(engine, ids.runId, 'a');
		expect((await shape(engine, threadId)).slice(3, 5)).toEqual(['ctx4 < null', 'q1 better < ctx4']);
		expect((await engine.database.threads.get(threadId))?.title).toBe('q1');
	});

	it('ENG-17: a new answer stands beside the old one, and its place in the fork is remembered', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q', 'a');
		const ids = newTurnIds();
		await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'regenerate', nodeId: first.answerNodeId });
		expect(await leafOf(engine, threadId)).toBe(ids.contextNodeId);
		await answerNext(engine, ids.runId, 'b');
		expect((await shape(engine, threadId)).slice(3)).toEqual(['ctx4 < q', 'b < ctx4']);
		expect(await engine.database.forkChoices.toArray()).toEqual([{ threadId, parentId: first.messageNodeId, childId: ids.contextNodeId }]);
		expect(engine.model.calls[1]?.request.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'q' }] }]);
	});

	it('ENG-17: an answer in several pieces is answered again as a whole', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...first, text: 'q' });
		const call = await engine.model.nextCall();
		call.say(started, said('half'));
		call.fail({ code: 'model-stream-cut' });
		await engine.runEnded(first.runId);
		const rest = newTurnIds();
		await engine.send('turn.resume', { threadId, ...turnSettings, ...rest, nodeId: first.answerNodeId });
		await answerNext(engine, rest.runId, ' whole');
		for (const nodeId of [first.answerNodeId, rest.answerNodeId]) {
			const ids = newTurnIds();
			await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'regenerate', nodeId });
			await answerNext(engine, ids.runId, 'again');
			expect((await engine.database.nodes.get(ids.contextNodeId))?.parentId).toBe(first.messageNodeId);
		}
	});

	it('ENG-17: a question whose answer never came is answered again under itself', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...first, text: 'q' });
		(await engine.model.nextCall()).fail({ code: 'model-offline' });
		await engine.runEnded(first.runId);
		const ids = newTurnIds();
		await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'regenerate', nodeId: first.messageNodeId });
		await answerNext(engine, ids.runId, 'a');
		expect(await shape(engine, threadId)).toEqual(['ctx1 < null', 'q < ctx1', 'ctx3 < q', 'a < ctx3']);
	});

	it('ENG-16: what is no question cannot be edited, nor a stranger or a tombstone', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const otherId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q', 'a');
		const other = await ask(engine, otherId, 'q', 'a');
		const edit = { threadId, ...turnSettings, ...newTurnIds(), kind: 'edit' as const, text: 'x' };
		expect(await engine.send('turn.fork', { ...edit, nodeId: first.answerNodeId })).toEqual(refused('node-not-a-question'));
		expect(await engine.send('turn.fork', { ...edit, nodeId: other.messageNodeId })).toEqual(refused('node-not-found'));
		expect(await engine.send('turn.fork', { ...edit, threadId: newId(), nodeId: first.messageNodeId })).toEqual(
			refused('thread-not-found')
		);
		await engine.send('node.delete', { threadId, nodeId: first.messageNodeId });
		expect(await engine.send('turn.fork', { ...edit, nodeId: first.messageNodeId })).toEqual(refused('node-not-found'));
		const again = { threadId, ...turnSettings, ...newTurnIds(), kind: 'regenerate' as const };
		expect(await engine.send('turn.fork', { ...again, nodeId: first.contextNodeId })).toEqual(refused('node-not-an-answer'));
		expect(await engine.send('turn.fork', { ...again, nodeId: first.answerNodeId })).toEqual(refused('node-not-an-answer'));
	});
});

describe('turn.resume', () => {
	it('ENG-18: a cut answer goes on in a child that names it; a whole one does not', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...first, text: 'q' });
		const call = await engine.model.nextCall();
		call.say(started, said('half'));
		call.fail({ code: 'model-stream-cut' });
		await engine.runEnded(first.runId);
		const ids = newTurnIds();
		const resume = { threadId, ...turnSettings, ...ids, nodeId: first.answerNodeId };
		expect(await engine.send('turn.resume', resume)).toEqual({ ok: true, value: {} });
		await answerNext(engine, ids.runId, ' and half');
		const rest = await engine.database.nodes.get(ids.answerNodeId);
		expect(rest).toMatchObject({ parentId: ids.contextNodeId, payload: { continuesNodeId: first.answerNodeId, status: 'complete' } });
		const again = { threadId, ...turnSettings, ...newTurnIds() };
		expect(await engine.send('turn.resume', { ...again, nodeId: ids.answerNodeId })).toEqual(refused('answer-not-cut-off'));
		expect(await engine.send('turn.resume', { ...again, nodeId: first.messageNodeId })).toEqual(refused('answer-not-cut-off'));
		expect(await engine.send('turn.resume', { ...again, nodeId: newId() })).toEqual(refused('node-not-found'));
		expect(await engine.send('turn.resume', { ...again, connectionId: 'gone', nodeId: first.answerNodeId })).toEqual(
			refused('connection-not-found')
		);
	});
});

describe('turn.interrupt', () => {
	it('ENG-19: stops what runs, says when it had ended, refuses a run of another thread', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: 'q' });
		(await engine.model.nextCall()).say(started, said('half'));
		expect(await engine.send('turn.interrupt', { threadId, runId: newId() })).toEqual(refused('run-not-found'));
		expect(await engine.send('turn.interrupt', { threadId, runId: ids.runId })).toEqual({ ok: true, value: { stopped: true } });
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'stopped' });
		expect(await engine.send('turn.interrupt', { threadId, runId: ids.runId })).toEqual({ ok: true, value: { stopped: false } });
		expect(await engine.send('turn.interrupt', { threadId: newId(), runId: ids.runId })).toEqual(refused('run-not-found'));
	});

	it('ENG-19: a stop while the run is being started waits for it, and no model is asked', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		const gate = Promise.withResolvers<void>();
		const get = engine.database.runs.get.bind(engine.database.runs);
		vi.spyOn(engine.database.runs, 'get').mockImplementationOnce((async (id: string) => {
			const run = await get(id);
			await gate.promise;
			return run;
		}) as never);
		await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: 'q' });
		const receipt = engine.send('turn.interrupt', { threadId, runId: ids.runId });
		setTimeout(gate.resolve, 100);
		expect(await receipt).toEqual({ ok: true, value: { stopped: true } });
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'stopped' });
		expect(await leafOf(engine, threadId)).toBe(ids.messageNodeId);
		await engine.runEnded(ids.runId);
		expect(engine.model.calls).toEqual([]);
	});

	it('ENG-19: a run that nobody works at is ended with what was kept of it', async () => {
		const engine = await setupEngine({ change: (deps) => ({ ...deps, runs: { ...deps.runs, start: () => {} } }) });
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: 'q' });
		await engine.database.inflight.add({ threadId, ...ids, nodeId: ids.answerNodeId, savedAt: 1, text: 'kept', reasoning: '' });
		expect(await engine.send('turn.submit', { threadId, ...turnSettings, ...newTurnIds(), text: 'q' })).toEqual(refused('thread-busy'));
		expect(await engine.send('turn.interrupt', { threadId, runId: ids.runId })).toEqual({ ok: true, value: { stopped: true } });
		expect(await engine.database.nodes.get(ids.answerNodeId)).toMatchObject({
			payload: { content: [{ text: 'kept' }], status: 'stopped' }
		});
		expect(await engine.database.inflight.count()).toBe(0);
		expect(await engine.send('turn.submit', { threadId, ...turnSettings, ...newTurnIds(), text: 'q' })).toMatchObject({ ok: true });
	});
});

it('ENG-15: the model is told the branch in view and nothing of the others', async () => {
	const engine = await setupEngine();
	const threadId = await setupThread(engine);
	const first = await ask(engine, threadId, 'q1', 'a1');
	const ids = newTurnIds();
	await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'edit', nodeId: first.messageNodeId, text: 'q1 better' });
	await answerNext(engine, ids.runId, 'a1 better');
	const last = newTurnIds();
	await engine.send('turn.submit', { threadId, ...turnSettings, ...last, text: 'q2' });
	const call = await engine.model.nextCall();
	call.say(started, ended);
	await engine.runEnded(last.runId);
	expect(call.request.messages.map((message) => textOf(message.content))).toEqual(['q1 better', 'a1 better', 'q2']);
});
