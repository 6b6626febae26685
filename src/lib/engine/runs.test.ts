import { describe, expect, it, vi } from 'vitest';
import { textOf } from '#lib/core/domain/nodes.ts';
import { continueRequest } from '#lib/core/context/build-session-context.ts';
import { newId } from '#lib/platform/ids.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { endRun, markStreaming, saveCheckpoint } from './run-writes.ts';
import { ask, ended, newTurnIds, said, setupEngine, setupThread, started, turnSettings, type TestEngine } from './test-engine.ts';

const full = () => Object.assign(new Error('planted'), { name: 'QuotaExceededError' });

async function submit(engine: TestEngine, text = 'q') {
	const threadId = await setupThread(engine);
	const ids = newTurnIds();
	await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text });
	return { threadId, ids, call: await engine.model.nextCall() };
}

const states = (engine: TestEngine) => engine.events.flatMap((event) => (event.type === 'engine.state' ? [event.state] : []));

describe('a run', () => {
	it('RUN-07: words reach the tabs as deltas, and the tree only as one whole answer', async () => {
		const engine = await setupEngine();
		const { threadId, ids, call } = await submit(engine);
		call.say(started, said('one '), said('two '), { type: 'reasoning', text: 'hm' });
		await vi.waitFor(async () => expect((await engine.database.runs.get(ids.runId))?.state).toBe('streaming_model'));
		await vi.waitFor(async () => expect(await engine.database.inflight.count()).toBe(1));
		engine.clock.step(16);
		await vi.waitFor(() => expect(engine.events.length).toBe(2));
		expect((await engine.nodes(threadId)).length).toBe(2);
		engine.deps.runs.tellSnapshot(threadId);
		engine.deps.runs.tellSnapshot(newId());
		call.say(said('three'), ended);
		await engine.runEnded(ids.runId);
		const about = { threadId, runId: ids.runId, nodeId: ids.answerNodeId };
		expect(engine.events).toEqual([
			{ type: 'reasoning.delta', ...about, at: 0, text: 'hm' },
			{ type: 'text.delta', ...about, at: 0, text: 'one two ' },
			{ type: 'text.snapshot', ...about, text: 'one two ', reasoning: 'hm' },
			{ type: 'text.delta', ...about, at: 8, text: 'three' },
			{ type: 'run.ended', ...about }
		]);
		expect((await engine.nodes(threadId)).map((node) => node.type)).toEqual(['turn_context', 'user_message', 'assistant_message']);
	});

	it('RUN-08: answer, cursor, statistics, state and checkpoint change together', async () => {
		const engine = await setupEngine();
		const { threadId, ids, call } = await submit(engine);
		engine.clock.step(250);
		call.say(started, said('an answer'), ended);
		await engine.runEnded(ids.runId);
		expect(await engine.database.nodes.get(ids.answerNodeId)).toMatchObject({
			parentId: ids.messageNodeId,
			payload: {
				content: [{ type: 'text', text: 'an answer' }],
				status: 'complete',
				stopReason: 'stop',
				model: 'real-model',
				connectionId: 'guide',
				turnId: ids.turnId,
				durationMs: 250,
				usage: { inputTokens: 3, outputTokens: 4 }
			}
		});
		expect(await engine.database.threads.get(threadId)).toMatchObject({
			leafId: ids.answerNodeId,
			lastSeq: 3,
			stats: { turns: 1, totalTokens: 7, costUsd: 0.5 }
		});
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'completed', endedAt: engine.clock.nowMs() });
		expect(await engine.database.inflight.count()).toBe(0);
	});

	it('RUN-08: an end that fails halfway leaves everything as it was', async () => {
		const engine = await setupEngine();
		const { threadId, ids, call } = await submit(engine);
		call.say(started, said('an answer'));
		await vi.waitFor(async () => expect(await engine.database.inflight.count()).toBe(1));
		const put = vi.spyOn(engine.database.tableBelowHooks('threads'), 'mutate').mockRejectedValueOnce(full());
		call.say(ended);
		await vi.waitFor(() => expect(put).toHaveBeenCalled());
		await vi.waitFor(() => expect(states(engine).length).toBe(1));
		expect(await engine.database.inflight.count()).toBe(1);
		expect(await engine.database.nodes.get(ids.answerNodeId)).toBeUndefined();
		expect((await engine.database.runs.get(ids.runId))?.state).toBe('streaming_model');
		expect((await engine.database.threads.get(threadId))?.lastSeq).toBe(2);
	});

	it('RUN-09: a settled run never changes, and one that is settled does not begin to stream', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = await ask(engine, threadId, 'q', 'a');
		const run = await engine.database.runs.get(ids.runId);
		if (!run) throw new Error('the run is kept');
		const nodes = await engine.nodes(threadId);
		await endRun(engine.deps, run, { kind: 'stopped', answer: { text: 'late', reasoning: '' } });
		await markStreaming(engine.deps, run);
		expect(await engine.database.runs.get(ids.runId)).toEqual(run);
		expect(await engine.nodes(threadId)).toEqual(nodes);
		await engine.database.runs.delete(ids.runId);
		await markStreaming(engine.deps, run);
		await endRun(engine.deps, run, { kind: 'stopped', answer: { text: 'late', reasoning: '' } });
		expect(await engine.database.runs.count()).toBe(0);
		expect(await engine.nodes(threadId)).toEqual(nodes);
	});

	it('RUN-09: a checkpoint of a deleted thread is not kept', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = await ask(engine, threadId, 'q', 'a');
		const run = await engine.database.runs.get(ids.runId);
		if (!run) throw new Error('the run is kept');
		await engine.send('thread.delete', { threadId });
		await saveCheckpoint(engine.deps, run, { text: 'late', reasoning: '' });
		expect(await engine.database.inflight.count()).toBe(0);
	});

	it('RUN-10: a person who went to another branch is not pulled back', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const first = await ask(engine, threadId, 'q', 'a');
		const ids = newTurnIds();
		await engine.send('turn.fork', { threadId, ...turnSettings, ...ids, kind: 'edit', nodeId: first.messageNodeId, text: 'q better' });
		const call = await engine.model.nextCall();
		call.say(started, said('half'));
		await engine.send('thread.selectBranch', { threadId, nodeId: first.messageNodeId });
		call.say(said(' and whole'), ended);
		await engine.runEnded(ids.runId);
		expect((await engine.database.threads.get(threadId))?.leafId).toBe(first.answerNodeId);
		expect(await engine.database.nodes.get(ids.answerNodeId)).toMatchObject({
			parentId: ids.messageNodeId,
			payload: { content: [{ text: 'half and whole' }] }
		});
	});

	it('RUN-11: a stop keeps what has arrived, and is answered when that is durable', async () => {
		const engine = await setupEngine();
		const { threadId, ids, call } = await submit(engine);
		call.say(started, said('half an answer'), { type: 'reasoning', text: 'hm' });
		await vi.waitFor(async () => expect(await engine.database.inflight.count()).toBe(1));
		await engine.send('turn.interrupt', { threadId, runId: ids.runId });
		expect(await engine.database.nodes.get(ids.answerNodeId)).toMatchObject({
			payload: { content: [{ text: 'half an answer' }], reasoning: 'hm', status: 'stopped' }
		});
		expect(await engine.database.threads.get(threadId)).toMatchObject({ leafId: ids.answerNodeId });
		expect(await engine.database.inflight.count()).toBe(0);
	});

	it('RUN-12: without a word there is no answer, only a run that says why', async () => {
		const engine = await setupEngine();
		const { threadId, ids, call } = await submit(engine);
		call.say(started);
		call.fail({ code: 'model-rate-limited', status: 429, retryAfterMs: 2_000, detail: 'slow down' });
		await engine.runEnded(ids.runId);
		expect((await engine.nodes(threadId)).length).toBe(2);
		expect(await engine.database.threads.get(threadId)).toMatchObject({ leafId: ids.messageNodeId });
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({
			state: 'failed',
			errorCode: 'model-rate-limited',
			errorData: { status: 429, retryAfterMs: 2_000, detail: 'slow down' }
		});
	});

	it('RUN-12: what came before a failure is kept and carries its code', async () => {
		const engine = await setupEngine();
		const { ids, call } = await submit(engine);
		call.say(started, said('half'));
		call.fail({ code: 'model-stream-cut' });
		await engine.runEnded(ids.runId);
		expect(await engine.database.nodes.get(ids.answerNodeId)).toMatchObject({
			payload: { content: [{ text: 'half' }], status: 'error', errorCode: 'model-stream-cut' }
		});
	});

	it('RUN-12: a connection that was removed meanwhile, and an adapter with a bug, end the run with a code', async () => {
		const engine = await setupEngine({ change: (deps) => ({ ...deps, runs: { ...deps.runs, start: () => {} } }) });
		const threadId = await setupThread(engine);
		const connection = { id: 'c1', name: 'Mine', kind: 'openai-compatible' as const, baseUrl: 'https://one.example/v1', defaultModel: 'm' };
		const limits = { modelIds: [], enabled: true, firstByteTimeoutMs: 1_000, silenceTimeoutMs: 1_000 };
		await engine.send('connection.save', { connection: { ...connection, ...limits } });
		const ids = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, connectionId: 'c1', ...ids, text: 'q' });
		await engine.send('connection.remove', { connectionId: 'c1' });
		const runs = (await import('./runs.ts')).createRuns({ ...engine.deps, onFenced: () => {} });
		runs.start(ids.runId);
		await engine.runEnded(ids.runId);
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'failed', errorCode: 'connection-not-found' });

		vi.spyOn(console, 'error').mockReturnValue();
		const other = await setupEngine();
		const second = await submit(other);
		second.call.say(started, said('half'));
		second.call.crash(new TypeError('a bug'));
		await other.runEnded(second.ids.runId);
		expect(await other.database.runs.get(second.ids.runId)).toMatchObject({ state: 'failed', errorCode: 'model-stream-error' });
		expect((await other.database.nodes.get(second.ids.answerNodeId))?.payload).toMatchObject({ content: [{ text: 'half' }] });
		vi.mocked(console.error).mockRestore();
	});

	it('RUN-15: a full disk breaks no answer off; it is told, tried again, and told when it is over', async () => {
		const engine = await setupEngine();
		const { ids, call } = await submit(engine);
		vi.spyOn(engine.database.tableBelowHooks('inflight'), 'mutate').mockRejectedValueOnce(full());
		vi.spyOn(engine.database.tableBelowHooks('nodes'), 'mutate').mockRejectedValueOnce(full());
		call.say(started, said('half '));
		await vi.waitFor(() => expect(states(engine).length).toBe(1));
		call.say(said('and whole'), ended);
		await vi.waitFor(() => expect(states(engine).length).toBe(2));
		expect(await engine.database.nodes.get(ids.answerNodeId)).toBeUndefined();
		engine.clock.step(5_000);
		await engine.runEnded(ids.runId);
		expect(states(engine)).toMatchObject([{ code: 'storage-full' }, { code: 'storage-full' }, { kind: 'leading', epoch: 1 }]);
		expect((await engine.database.nodes.get(ids.answerNodeId))?.payload).toMatchObject({ content: [{ text: 'half and whole' }] });
	});

	it('RUN-16: a cut answer is gone on with; one without a word is asked for anew', async () => {
		const engine = await setupEngine();
		const first = await submit(engine);
		first.call.say(started, said('half'));
		first.call.fail({ code: 'model-stream-cut' });
		await engine.runEnded(first.ids.runId);
		const ids = newTurnIds();
		await engine.send('turn.resume', { threadId: first.threadId, ...turnSettings, ...ids, nodeId: first.ids.answerNodeId });
		const call = await engine.model.nextCall();
		expect(call.request.messages.map((message) => [message.role, textOf(message.content)])).toEqual([
			['user', 'q'],
			['assistant', 'half'],
			['user', continueRequest]
		]);
		const second = await submit(engine);
		second.call.say(started, { type: 'reasoning', text: 'hm' });
		second.call.fail({ code: 'model-stream-cut' });
		await engine.runEnded(second.ids.runId);
		await engine.send('turn.resume', { threadId: second.threadId, ...turnSettings, ...newTurnIds(), nodeId: second.ids.answerNodeId });
		expect((await engine.model.nextCall()).request.messages.map((message) => textOf(message.content))).toEqual(['q']);
	});

	it('RUN-17: a deposed engine breaks its runs off, says so once, and writes nothing', async () => {
		const engine = await setupEngine();
		const { threadId, ids, call } = await submit(engine);
		call.say(started, said('half'));
		await vi.waitFor(async () => expect(await engine.database.inflight.count()).toBe(1));
		await beginEpoch(engine.database, () => ({ deviceId: newId(), epoch: 0 }));
		const before = await engine.database.runs.get(ids.runId);
		call.say(ended);
		await vi.waitFor(() => expect(engine.fenced()).toBe(1));
		expect(await engine.database.runs.get(ids.runId)).toEqual(before);
		expect((await engine.nodes(threadId)).length).toBe(2);
		engine.deps.runs.abandon();
		engine.deps.runs.start(ids.runId);
		expect(engine.model.calls.length).toBe(1);
	});
});
