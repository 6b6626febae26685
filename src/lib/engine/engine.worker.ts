// The engine worker's composition root: the only module that knows all of the engine's parts.
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import { PROTOCOL_VERSION, type PeerMessage, type TabMessage, type WorkerMessage } from '#lib/core/protocol/messages.ts';
import { createSystemClock } from '#lib/platform/clock.ts';
import { createWebLockLeadership } from '#lib/platform/leadership.ts';
import { startEngine } from './start-engine.ts';
import { createWorkerHost } from './worker-host.ts';

const toTab = (message: WorkerMessage) => self.postMessage(message);

self.addEventListener('message', function onStart(event: MessageEvent<TabMessage>) {
	const start = event.data;
	if (start.kind !== 'start') return;
	self.removeEventListener('message', onStart);
	if (start.version !== PROTOCOL_VERSION) {
		const outdated: EngineEvent = { type: 'engine.state', state: { kind: 'failed', code: 'engine-outdated' } };
		return toTab({ kind: 'event', event: outdated });
	}
	// Whoever is granted this lock knows that this worker is gone: it may end without a word.
	void navigator.locks.request(start.lifeLock, () => {
		toTab({ kind: 'living' });
		return new Promise<never>(() => {});
	});
	const clock = createSystemClock();
	const peers = new BroadcastChannel(`bough:${start.databaseName}`);
	const host = createWorkerHost({
		clock,
		leadership: createWebLockLeadership(`bough:${start.databaseName}`),
		toPeers: (message) => peers.postMessage(message),
		toTab,
		startEngine: (hooks) => startEngine({ ...hooks, clock, databaseName: start.databaseName })
	});
	peers.addEventListener('message', ({ data }: MessageEvent<PeerMessage>) => host.fromPeer(data));
	self.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
		if (data.kind !== 'start') host.fromTab(data);
	});
	host.start();
});
