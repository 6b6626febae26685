import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { createEngine, receiptLifetimeMs } from './create-engine.ts';
import { pruneReceipts } from './recovery.ts';
import { ask, clientId, dump, envelopeOf, newTurnIds, setupEngine, setupThread, turnSettings } from './test-engine.ts';

vi.setConfig({ testTimeout: 60_000 });

async function refusalOf(engine: Awaited<ReturnType<typeof setupEngine>>, envelope: ReturnType<typeof envelopeOf>) {
	const receipt = await engine.handle(envelope);
	return receipt?.result.ok === false ? receipt.result.error : receipt?.result;
}

describe('what comes in', () => {
	it('ENG-01: a command that does not exist, however its name is spelt', async () => {
		const engine = await setupEngine();
		for (const type of ['thread.explode', '', '__proto__', 'toString', 'x'.repeat(500)]) {
			expect(await refusalOf(engine, envelopeOf(type, {}))).toEqual({ code: 'engine-unknown-command', detail: type.slice(0, 80) });
		}
		expect(await engine.database.commandReceipts.count()).toBe(0);
	});

	it('ENG-01: a wrong payload is told by its paths, never by its values', async () => {
		const engine = await setupEngine();
		const refusal = await refusalOf(engine, envelopeOf('connection.save', { connection: { id: 'a canary' }, key: { canary: 1 } }));
		expect(refusal).toMatchObject({
			code: 'engine-bad-payload',
			detail: expect.stringContaining('connection.name: invalid_type') as string
		});
		expect(JSON.stringify(refusal)).not.toContain('canary');
	});

	it.each([[null], [undefined], ['text'], [[]], [{ threadId: 7 }], [{ threadId: 'no id' }]])(
		'ENG-01: %j is no payload of thread.create',
		async (payload) => {
			const engine = await setupEngine();
			expect(await refusalOf(engine, envelopeOf('thread.create', payload))).toMatchObject({ code: 'engine-bad-payload' });
			expect(await engine.database.threads.count()).toBe(0);
		}
	);

	it('ENG-01: ids of the sender that are none', async () => {
		const engine = await setupEngine();
		const envelope = envelopeOf('thread.create', { threadId: newId() });
		expect(await refusalOf(engine, { ...envelope, clientId: `${clientId}\u0000x` })).toEqual({ code: 'engine-bad-payload' });
		expect(await refusalOf(engine, { ...envelope, submissionId: '' })).toEqual({ code: 'engine-bad-payload' });
	});

	it('ENG-01: a tab of another version, older or newer', async () => {
		const engine = await setupEngine();
		const envelope = envelopeOf('thread.create', { threadId: newId() });
		expect(await refusalOf(engine, { ...envelope, version: envelope.version + 1 })).toEqual({ code: 'engine-outdated' });
		expect(await refusalOf(engine, { ...envelope, version: envelope.version - 1 })).toEqual({ code: 'engine-outdated' });
		expect(await engine.database.threads.count()).toBe(0);
	});

	it('ENG-01: half a surrogate pair is a text like any other', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		await ask(engine, threadId, 'half \ud83d of it', 'whole');
		expect((await engine.nodes(threadId)).map((node) => node.type)).toEqual(['turn_context', 'user_message', 'assistant_message']);
	});
});

describe('receipts', () => {
	it('ENG-02: the receipt is written in the transaction of its effect', async () => {
		const engine = await setupEngine();
		const threadId = newId();
		vi.spyOn(engine.database.tableBelowHooks('commandReceipts'), 'mutate').mockRejectedValueOnce(new Error('planted'));
		vi.spyOn(console, 'error').mockReturnValueOnce();
		expect(await engine.send('thread.create', { threadId })).toMatchObject({ ok: false, error: { code: 'engine-failed' } });
		expect(await engine.database.threads.count()).toBe(0);
		expect(await engine.send('thread.create', { threadId })).toEqual({ ok: true, value: {} });
	});

	it('ENG-02: a receipt names the command, not what it said', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const submissionId = newId();
		await engine.send('thread.rename', { threadId, title: 'a canary' }, submissionId);
		const receipt = await engine.database.commandReceipts.get(`${clientId}\u0000${submissionId}`);
		expect(receipt).toMatchObject({ clientId, submissionId, commandType: 'thread.rename', status: 'acknowledged' });
		expect(receipt?.requestFingerprint).toMatch(/^[0-9a-f]{64}$/);
		expect(receipt?.requestFingerprint).not.toContain('canary');
	});

	it('ENG-03: the same submission gets the same answer and changes nothing a second time', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		const payload = { threadId, ...turnSettings, ...ids, text: 'once' };
		const submissionId = newId();
		const first = await engine.send('turn.submit', payload, submissionId);
		const nodes = await engine.nodes(threadId);
		expect(await engine.send('turn.submit', payload, submissionId)).toEqual(first);
		expect(await engine.nodes(threadId)).toEqual(nodes);
		expect(engine.model.calls.length).toBeLessThanOrEqual(1);
	});

	it('ENG-03: a refusal is an answer too, and stays when the reason is gone', async () => {
		const engine = await setupEngine();
		const threadId = newId();
		const submissionId = newId();
		const refused = await engine.send('thread.rename', { threadId, title: 'x' }, submissionId);
		expect(refused).toEqual({ ok: false, error: { code: 'thread-not-found' } });
		await engine.send('thread.create', { threadId });
		expect(await engine.send('thread.rename', { threadId, title: 'x' }, submissionId)).toEqual(refused);
		expect((await engine.database.threads.get(threadId))?.title).toBe('');
	});

	it('ENG-03: who repeats a command that is still at work waits for the one answer', async () => {
		let runs = 0;
		const gate = Promise.withResolvers<void>();
		const summary = { threadIds: [], alreadyHere: 0, leftOut: 0, messages: 0, cancelled: false, findings: [] };
		const engine = await setupEngine({
			change: (deps) => ({
				...deps,
				imports: {
					cancel: () => {},
					async run() {
						runs++;
						await gate.promise;
						return { ok: true, value: { ...summary, messages: runs } };
					}
				}
			})
		});
		const payload = { importId: newId(), file: new File(['x'], 'x.json') };
		const submissionId = newId();
		const answers = [engine.send('import.file', payload, submissionId), engine.send('import.file', payload, submissionId)];
		const otherPayload = engine.send('import.file', { ...payload, importId: newId() }, submissionId);
		await vi.waitFor(() => expect(runs).toBe(1));
		expect(await otherPayload).toEqual({ ok: false, error: { code: 'engine-submission-reused' } });
		gate.resolve();
		expect(await Promise.all(answers)).toEqual([
			{ ok: true, value: { ...summary, messages: 1 } },
			{ ok: true, value: { ...summary, messages: 1 } }
		]);
		expect(await engine.send('import.file', payload, submissionId)).toEqual({ ok: true, value: { ...summary, messages: 1 } });
		expect(runs).toBe(1);
	});

	it('ENG-04: a submission id that was used for something else is refused, and the first receipt stays', async () => {
		const engine = await setupEngine();
		const threadId = newId();
		const submissionId = newId();
		await engine.send('thread.create', { threadId }, submissionId);
		const reused = { ok: false, error: { code: 'engine-submission-reused' } };
		expect(await engine.send('thread.create', { threadId: newId() }, submissionId)).toEqual(reused);
		expect(await engine.send('thread.delete', { threadId }, submissionId)).toEqual(reused);
		expect(await engine.send('thread.create', { threadId }, submissionId)).toEqual({ ok: true, value: {} });
		expect(await engine.database.threads.count()).toBe(1);
	});

	it('ENG-05: a refused command leaves its receipt and nothing else', async () => {
		const engine = await setupEngine();
		const threadId = await setupThread(engine);
		const before = await dump(engine);
		await engine.send('thread.rename', { threadId, title: '  ' });
		await engine.send('turn.submit', { threadId, ...turnSettings, connectionId: 'gone', ...newTurnIds(), text: 'x' });
		await engine.send('thread.selectBranch', { threadId, nodeId: newId() });
		await engine.send('node.delete', { threadId, nodeId: newId() });
		expect(await dump(engine)).toEqual(before);
		expect(await engine.database.commandReceipts.count()).toBe(5);
	});

	it('ENG-07: receipts older than seven days and beyond ten thousand go, the oldest first', async () => {
		const engine = await setupEngine();
		const submissionId = newId();
		const threadId = newId();
		await engine.send('thread.create', { threadId }, submissionId);
		engine.clock.step(receiptLifetimeMs);
		await pruneReceipts(engine.deps);
		expect(await engine.send('thread.create', { threadId }, submissionId)).toEqual({ ok: true, value: {} });
		engine.clock.step(1);
		await pruneReceipts(engine.deps);
		expect(await engine.send('thread.create', { threadId }, submissionId)).toEqual({ ok: false, error: { code: 'thread-exists' } });
		const [kept] = await engine.database.commandReceipts.toArray();
		if (!kept) throw new Error('a receipt is kept');
		const rows = Array.from({ length: 10_001 }, (_, at) => ({ ...kept, id: `r${at}`, createdAt: kept.createdAt + 1 + at }));
		await engine.database.commandReceipts.bulkAdd(rows);
		await pruneReceipts(engine.deps);
		expect(await engine.database.commandReceipts.count()).toBe(10_000);
		expect(await engine.database.commandReceipts.bulkGet([kept.id, 'r0', 'r1'])).toEqual([undefined, undefined, rows[1]]);
	});
});

describe('what goes wrong', () => {
	const named = (name: string, more: object = {}) => Object.assign(new Error(`${name} planted`), { name, ...more });

	it.each([
		['QuotaExceededError', {}, 'engine-storage-full'],
		['AbortError', { inner: named('QuotaExceededError') }, 'engine-storage-full'],
		['BulkError', { failures: [named('QuotaExceededError')] }, 'engine-storage-full'],
		['DatabaseClosedError', {}, 'engine-storage-failed'],
		['UnknownError', {}, 'engine-storage-failed'],
		['VersionError', {}, 'engine-outdated'],
		['ConstraintError', {}, 'engine-failed'],
		['TypeError', {}, 'engine-failed']
	])('ENG-06: %s is answered with a code, and nothing was changed', async (name, more, code) => {
		const engine = await setupEngine();
		vi.spyOn(console, 'error').mockReturnValue();
		vi.spyOn(engine.database.tableBelowHooks('threads'), 'mutate').mockRejectedValueOnce(named(name, more));
		expect(await engine.send('thread.create', { threadId: newId() })).toMatchObject({ ok: false, error: { code } });
		expect(await engine.database.threads.count()).toBe(0);
		expect(await engine.database.commandReceipts.count()).toBe(0);
		vi.mocked(console.error).mockRestore();
	});

	it('ENG-06: ids that exist already are refused whole, here and in another thread', async () => {
		const engine = await setupEngine();
		vi.spyOn(console, 'error').mockReturnValue();
		const threadId = await setupThread(engine);
		const otherThreadId = await setupThread(engine);
		const used = await ask(engine, threadId, 'q', 'a');
		const before = await dump(engine);
		for (const id of ['contextNodeId', 'messageNodeId', 'answerNodeId', 'runId'] as const) {
			const payload = { threadId: otherThreadId, ...turnSettings, ...newTurnIds(), [id]: used[id], text: 'x' };
			expect(await engine.send('turn.submit', payload)).toMatchObject({ ok: false, error: { code: 'engine-failed' } });
		}
		const ids = newTurnIds();
		const payload = { threadId, ...turnSettings, ...ids, answerNodeId: ids.messageNodeId, text: 'x' };
		expect(await engine.send('turn.submit', payload)).toMatchObject({ ok: false, error: { code: 'engine-failed' } });
		expect(await dump(engine)).toEqual(before);
		vi.mocked(console.error).mockRestore();
	});

	it('ENG-08: an engine that leads no longer gives no answer and writes nothing', async () => {
		const factory = new IDBFactory();
		const old = await setupEngine({ factory, name: 'shared' });
		const threadId = await setupThread(old);
		await beginEpoch(old.database, () => ({ deviceId: newId(), epoch: 0 }));
		const before = await dump(old);
		expect(await old.handle(envelopeOf('thread.rename', { threadId, title: 'late' }))).toBeNull();
		expect(await old.handle(envelopeOf('thread.create', { threadId: newId() }))).toBeNull();
		expect(await dump(old)).toEqual(before);
		const next = createEngine((await setupEngine({ factory, name: 'shared' })).deps);
		expect(await next.handle(envelopeOf('thread.rename', { threadId, title: 'late' }))).toMatchObject({ result: { ok: true } });
	});
});
