import { describe, expect, it, vi } from 'vitest';
import { PROTOCOL_VERSION, type CommandEnvelope, type TabMessage, type WorkerMessage } from '#lib/core/protocol/messages.ts';
import { EngineClient } from './engine-client.ts';

class FakeWorker extends EventTarget {
	readonly got: TabMessage[] = [];
	isEnded = false;
	postMessage(message: TabMessage): void {
		this.got.push(structuredClone(message));
	}
	terminate(): void {
		this.isEnded = true;
	}
	say(data: WorkerMessage): void {
		this.dispatchEvent(new MessageEvent('message', { data }));
	}
	commands(): CommandEnvelope[] {
		return this.got.filter((message) => message.kind === 'command');
	}
	answer(command: CommandEnvelope | undefined, value: unknown): void {
		if (!command) throw new Error('there is a command');
		this.say({ kind: 'receipt', clientId: command.clientId, submissionId: command.submissionId, result: { ok: true, value } });
	}
}

function setupClient() {
	const workers: FakeWorker[] = [];
	const client = new EngineClient({
		databaseName: 'd',
		createWorker() {
			const worker = new FakeWorker();
			workers.push(worker);
			return worker as unknown as Worker;
		}
	});
	const worker = (at: number) => {
		const found = workers[at];
		if (!found) throw new Error(`worker ${at} was started`);
		return found;
	};
	return { client, worker };
}

describe('the engine client', () => {
	it('VIEW-10: each command is sent once, under an id of its own, and gets its own receipt', async () => {
		const { client, worker } = setupClient();
		client.start();
		const answers = [client.send('ping', {}), client.send('ping', {})];
		const [first, second] = worker(0).commands();
		expect(worker(0).got[0]).toEqual({ kind: 'start', version: PROTOCOL_VERSION, databaseName: 'd', lifeLock: expect.any(String) });
		expect(first?.submissionId).not.toBe(second?.submissionId);
		expect(first?.clientId).toBe(client.clientId);
		worker(0).answer(second, { epoch: 2 });
		worker(0).answer(second, { epoch: 9 });
		worker(0).answer(first, { epoch: 1 });
		expect(await Promise.all(answers)).toEqual([
			{ ok: true, value: { epoch: 1 } },
			{ ok: true, value: { epoch: 2 } }
		]);
	});

	it('VIEW-11: a new worker gets what has no receipt, under the same ids; the old one is ended', async () => {
		const { client, worker } = setupClient();
		const early = client.send('ping', {});
		client.start();
		const [sent] = worker(0).commands();
		client.start();
		expect(worker(0).isEnded).toBe(true);
		expect(worker(1).commands()).toEqual([sent]);
		worker(1).answer(sent, { epoch: 1 });
		expect(await early).toEqual({ ok: true, value: { epoch: 1 } });
		client.start();
		expect(worker(2).commands()).toEqual([]);
	});

	it('VIEW-12: a dead worker is trouble, and a new start is told to who listens', () => {
		const { client, worker } = setupClient();
		const states: string[] = [];
		client.start();
		const stop = client.listen((event) => event.type === 'engine.state' && states.push(event.state.kind));
		worker(0).say({ kind: 'event', event: { type: 'engine.state', state: { kind: 'leading', epoch: 1 } } });
		worker(0).dispatchEvent(new Event('error'));
		expect(client.state).toEqual({ kind: 'failed', code: 'engine-crashed' });
		client.start();
		worker(0).dispatchEvent(new Event('error'));
		expect([client.state, states]).toEqual([{ kind: 'starting' }, ['leading', 'failed', 'starting']]);
		stop();
		worker(1).say({ kind: 'event', event: { type: 'engine.state', state: { kind: 'following' } } });
		expect([client.state.kind, states.length]).toEqual(['following', 3]);
	});

	it('VIEW-13: an engine that does not answer is told after 30 s; what takes long by nature is waited for', async () => {
		vi.useFakeTimers();
		const { client } = setupClient();
		client.start();
		const answers: unknown[] = [];
		void client.send('ping', {}).then((answer) => answers.push(answer));
		void client.send('turn.interrupt', { threadId: client.clientId, runId: client.clientId }).then((answer) => answers.push(answer));
		const connection = {
			id: 'c',
			name: 'c',
			kind: 'openai-compatible' as const,
			baseUrl: 'http://localhost/v1',
			defaultModel: '',
			modelIds: [],
			enabled: true,
			firstByteTimeoutMs: 1_000,
			silenceTimeoutMs: 1_000
		};
		void client.send('connection.test', { connection }).then((answer) => answers.push(answer));
		await vi.advanceTimersByTimeAsync(29_999);
		expect(answers).toEqual([]);
		await vi.advanceTimersByTimeAsync(10_000_000);
		const noAnswer = { ok: false, error: { code: 'engine-no-answer' } };
		expect(answers).toEqual([noAnswer, noAnswer]);
		vi.useRealTimers();
	});
});
