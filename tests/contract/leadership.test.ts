// Leadership by real Web Locks: two engine workers over one database, as two tabs have them, and hosts in one page.
import Dexie from 'dexie';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineClient } from '#lib/client/engine-client.ts';
import type { EngineState } from '#lib/core/protocol/events.ts';
import type { PeerMessage } from '#lib/core/protocol/messages.ts';
import { createWorkerHost } from '#lib/engine/worker-host.ts';
import { newId } from '#lib/platform/ids.ts';
import { createWebLockLeadership } from '#lib/platform/leadership.ts';
import { createSteppedClock, threadRow } from '#lib/storage/test-database.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { FencedError, writeTransaction } from '#lib/storage/writes/write-transaction.ts';
import { newName, openReading, openWriter } from './test-connections.ts';

const clients: EngineClient[] = [];
const names: string[] = [];

afterEach(async () => {
	for (const client of clients.splice(0)) client.stop();
	for (const name of names.splice(0)) await Dexie.delete(name);
});

function openTab(databaseName: string): EngineClient {
	const createWorker = () => new Worker(new URL('../../src/lib/engine/engine.worker.ts', import.meta.url), { type: 'module' });
	const client = new EngineClient({ databaseName, createWorker });
	clients.push(client);
	client.start();
	return client;
}

async function openTwoTabs() {
	const databaseName = newName();
	names.push(databaseName);
	const first = openTab(databaseName);
	await expect.poll(() => first.state.kind, { timeout: 20_000 }).toBe('leading');
	const second = openTab(databaseName);
	await expect.poll(() => second.state.kind, { timeout: 20_000 }).toBe('following');
	return { databaseName, first, second };
}

describe('two workers', () => {
	it('LEAD-01: one leads, the other forwards, and both see the same', async () => {
		const { databaseName, first, second } = await openTwoTabs();
		const threadId = newId();
		expect(await second.send('thread.create', { threadId })).toEqual({ ok: true, value: {} });
		expect(await first.send('thread.rename', { threadId, title: 'Ours' })).toEqual({ ok: true, value: { title: 'Ours' } });
		expect(await first.send('ping', {})).toEqual(await second.send('ping', {}));
		const tab = await openReading(databaseName);
		expect(await tab.threads.get(threadId)).toMatchObject({ title: 'Ours' });
		tab.close();
	});

	it('LEAD-02: the leader is ended, and the other answers everything exactly once', async () => {
		const { databaseName, first, second } = await openTwoTabs();
		const led = await second.send('ping', {});
		const firstEpoch = led.ok ? led.value.epoch : 0;
		const threadIds = Array.from({ length: 12 }, () => newId());
		const receipts = threadIds.map((threadId, at) => {
			if (at === 6) first.stop();
			return second.send('thread.create', { threadId });
		});
		expect(await Promise.all(receipts)).toEqual(threadIds.map(() => ({ ok: true, value: {} })));
		expect(await second.send('ping', {})).toEqual({ ok: true, value: { epoch: firstEpoch + 1 } });
		const tab = await openReading(databaseName);
		expect((await tab.threads.toCollection().primaryKeys()).sort()).toEqual([...threadIds].sort());
		tab.close();
	});

	it('LEAD-02: a tab whose worker is started anew gets the answers it had not got', async () => {
		const { first, second } = await openTwoTabs();
		const threadId = newId();
		first.stop();
		const receipt = first.send('thread.create', { threadId });
		first.start();
		expect(await receipt).toEqual({ ok: true, value: {} });
		expect([first.state.kind, second.state.kind]).toEqual(['following', 'leading']);
	});
});

/** Two hosts in this page over one real lock; time stands still until it is stepped. */
function createHosts(lockName: string) {
	const clock = createSteppedClock();
	const hosts: { fromPeer: (message: PeerMessage) => void; isDeaf: boolean; state: EngineState | null; epoch: number }[] = [];
	let epochs = 0;
	const open = () => {
		const entry: (typeof hosts)[number] = { fromPeer: () => {}, isDeaf: false, state: null, epoch: 0 };
		const host = createWorkerHost({
			clock,
			leadership: createWebLockLeadership(lockName),
			toPeers(message) {
				if (!entry.isDeaf) for (const other of hosts) if (other !== entry && !other.isDeaf) queueMicrotask(() => other.fromPeer(message));
			},
			toTab(message) {
				if (message.kind === 'event' && message.event.type === 'engine.state') entry.state = message.event.state;
			},
			startEngine: () => {
				entry.epoch = ++epochs;
				return Promise.resolve({ epoch: entry.epoch, handle: () => Promise.resolve(null), watch: () => {}, close: () => {} });
			}
		});
		entry.fromPeer = host.fromPeer;
		hosts.push(entry);
		host.start();
		return entry;
	};
	const pass = async (ms: number) => {
		for (let left = ms; left > 0; left -= 500) {
			clock.step(500);
			await new Promise((resolve) => setTimeout(resolve));
		}
	};
	return { open, pass };
}

describe('a lock that is taken', () => {
	it('LEAD-03: from a leader that does not answer, which then follows', async () => {
		const { open, pass } = createHosts(newName());
		const first = open();
		await expect.poll(() => first.state).toEqual({ kind: 'leading', epoch: 1 });
		const second = open();
		await pass(20_000);
		expect(second.state).toEqual({ kind: 'following' });
		first.isDeaf = true;
		await pass(20_000);
		await expect.poll(() => second.state).toEqual({ kind: 'leading', epoch: 2 });
		first.isDeaf = false;
		await expect.poll(() => first.state).toEqual({ kind: 'following' });
		await pass(30_000);
		expect([first.state, second.state]).toEqual([{ kind: 'following' }, { kind: 'leading', epoch: 2 }]);
	});

	it('LEAD-04: the port resolves only when the deposed one has put its work down', async () => {
		const leadership = createWebLockLeadership(newName());
		const order: string[] = [];
		const down = Promise.withResolvers<void>();
		const first = leadership
			.request(
				async (signal) => {
					order.push('first leads');
					await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
					order.push('first knows');
					await down.promise;
					order.push('first is done');
				},
				{ steal: false }
			)
			.then(() => order.push('first resolved'));
		await expect.poll(() => order).toEqual(['first leads']);
		await leadership.request(() => Promise.resolve(void order.push('second leads')), { steal: true });
		await expect.poll(() => [...order].sort()).toEqual(['first knows', 'first leads', 'second leads']);
		down.resolve();
		await first;
		expect(order.slice(-2)).toEqual(['first is done', 'first resolved']);
	});

	it('LEAD-04: the deposed one is fenced out by the database itself', async () => {
		const databaseName = newName();
		names.push(databaseName);
		const old = await openWriter(databaseName);
		const write = (epoch: number) =>
			writeTransaction({ ...old, epoch }, ['threads'], (unit) => Promise.resolve(unit.putThread(threadRow(`by ${epoch}`))));
		await write(1);
		const epoch = await beginEpoch(old.database, () => ({ deviceId: newId(), epoch: 0 }));
		await expect(write(1)).rejects.toThrow(FencedError);
		await write(epoch);
		expect(await old.database.threads.toCollection().primaryKeys()).toEqual(['by 1', 'by 2']);
		old.database.close();
	});
});
