import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import type { RunRow, RunState } from '#lib/storage/rows.ts';
import { newId } from '#lib/platform/ids.ts';
import { recoverRuns } from './recovery.ts';
import { ask, newTurnIds, setupEngine, setupThread, turnSettings, type TestEngine } from './test-engine.ts';

/** An engine that accepts turns and dies before it runs them. */
const dying = () => setupEngine({ change: (deps) => ({ ...deps, runs: { ...deps.runs, start: () => {} } }) });

async function leaveRun(engine: TestEngine, fields: Partial<RunRow> = {}) {
	const threadId = await setupThread(engine);
	const ids = newTurnIds();
	await engine.send('turn.submit', { threadId, ...turnSettings, ...ids, text: 'q' });
	await engine.database.runs.update(ids.runId, fields);
	return { threadId, ids };
}

async function keepInflight(engine: TestEngine, threadId: string, runId: string, text: string) {
	await engine.database.inflight.put({ threadId, runId, turnId: 't', nodeId: 'n', savedAt: 1, text, reasoning: 'hm' });
}

describe('recovery', () => {
	it('RUN-13: a run that had not reached a model begins again, three times at most', async () => {
		const engine = await dying();
		const { threadId, ids } = await leaveRun(engine);
		expect(await recoverRuns(engine.deps)).toEqual([ids.runId]);
		expect(await recoverRuns(engine.deps)).toEqual([ids.runId]);
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'preparing', attempts: 2 });
		expect(await recoverRuns(engine.deps)).toEqual([]);
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'interrupted' });
		expect((await engine.nodes(threadId)).length).toBe(2);
	});

	it('RUN-13: what a streaming run had told becomes an interrupted answer at the cursor', async () => {
		const engine = await dying();
		const { threadId, ids } = await leaveRun(engine, { state: 'streaming_model' });
		await keepInflight(engine, threadId, ids.runId, 'half an answer');
		expect(await recoverRuns(engine.deps)).toEqual([]);
		expect(await engine.database.nodes.get(ids.answerNodeId)).toMatchObject({
			parentId: ids.messageNodeId,
			payload: { content: [{ text: 'half an answer' }], reasoning: 'hm', status: 'interrupted' }
		});
		expect(await engine.database.threads.get(threadId)).toMatchObject({ leafId: ids.answerNodeId });
		expect(await engine.database.inflight.count()).toBe(0);
		const nodes = await engine.nodes(threadId);
		expect(await recoverRuns(engine.deps)).toEqual([]);
		expect(await engine.nodes(threadId)).toEqual(nodes);
	});

	it('RUN-13: a streaming run without a checkpoint is interrupted without an answer', async () => {
		const engine = await dying();
		const { threadId, ids } = await leaveRun(engine, { state: 'streaming_model' });
		await recoverRuns(engine.deps);
		expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'interrupted' });
		expect(await engine.database.threads.get(threadId)).toMatchObject({ leafId: ids.messageNodeId });
	});

	it.each<[RunState]>([['interrupted'], ['stopped'], ['failed'], ['completed']])(
		'RUN-13: a run that is %s stays as it is',
		async (state) => {
			const engine = await dying();
			const { ids } = await leaveRun(engine, { state });
			const before = await engine.database.runs.get(ids.runId);
			expect(await recoverRuns(engine.deps)).toEqual([]);
			expect(await engine.database.runs.get(ids.runId)).toEqual(before);
		}
	);

	it('RUN-13: the next leader takes a run up, and its answer is one', async () => {
		const factory = new IDBFactory();
		const first = await setupEngine({ factory, name: 'one', change: (deps) => ({ ...deps, runs: { ...deps.runs, start: () => {} } }) });
		const { threadId, ids } = await leaveRun(first);
		const next = await setupEngine({ factory, name: 'one' });
		for (const runId of await recoverRuns(next.deps)) next.deps.runs.start(runId);
		const call = await next.model.nextCall();
		call.say({ type: 'start' }, { type: 'text', text: 'a' }, { type: 'end', stopReason: 'stop', usage: null, model: null });
		await next.runEnded(ids.runId);
		expect((await next.nodes(threadId)).map((node) => node.id)).toEqual([ids.contextNodeId, ids.messageNodeId, ids.answerNodeId]);
		await expect(recoverRuns(first.deps)).rejects.toThrow('epoch');
	});

	it('RUN-14: a checkpoint without a run at work goes; that of a run to be started stays', async () => {
		const engine = await dying();
		const { threadId, ids } = await leaveRun(engine);
		await keepInflight(engine, threadId, ids.runId, 'kept');
		await keepInflight(engine, newId(), newId(), 'stray');
		await recoverRuns(engine.deps);
		expect((await engine.database.inflight.toArray()).map((kept) => kept.text)).toEqual(['kept']);
	});

	it('RUN-14: no damaged run keeps the others, or the engine, from starting', async () => {
		const engine = await dying();
		const damaged = await leaveRun(engine, { state: 'streaming_model', parentNodeId: newId() });
		await keepInflight(engine, damaged.threadId, damaged.ids.runId, 'under nothing');
		const other = await ask(await setupAnswering(engine), await setupThread(engine), 'q', 'a');
		const taken = await leaveRun(engine, { state: 'streaming_model', answerNodeId: other.answerNodeId });
		await keepInflight(engine, taken.threadId, taken.ids.runId, 'under a taken id');
		const threadless = await leaveRun(engine, { state: 'streaming_model' });
		await engine.database.threads.delete(threadless.threadId);
		const good = await leaveRun(engine);
		expect(await recoverRuns(engine.deps)).toEqual([good.ids.runId]);
		const texts = async (threadId: string) => JSON.stringify((await engine.nodes(threadId)).map((node) => node.payload));
		expect(await texts(damaged.threadId)).toContain('under nothing');
		expect(await texts(taken.threadId)).toContain('under a taken id');
		for (const { ids } of [damaged, taken, threadless])
			expect(await engine.database.runs.get(ids.runId)).toMatchObject({ state: 'interrupted' });
	});
});

/** The same engine, with runs that run. */
async function setupAnswering(engine: TestEngine): Promise<TestEngine> {
	const { createRuns } = await import('./runs.ts');
	const { createEngine } = await import('./create-engine.ts');
	const { envelopeOf } = await import('./test-engine.ts');
	const runs = createRuns({ ...engine.deps, onFenced: () => vi.fn() });
	const answering = createEngine({ ...engine.deps, runs });
	return {
		...engine,
		async send(type, payload) {
			const receipt = await answering.handle(envelopeOf(type, payload));
			return receipt?.result as never;
		}
	};
}
