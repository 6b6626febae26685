// One tab's worker: leads, or forwards to the worker that does. Keeps its tab's commands until each has its receipt, so that
// none is lost when the leader changes. ENGINE WORKER. SPEC.md LEAD-01 to LEAD-08.
import type { EngineEvent, EngineState } from '#lib/core/protocol/events.ts';
import {
	PROTOCOL_VERSION,
	type CommandEnvelope,
	type PeerMessage,
	type ReceiptEnvelope,
	type TabMessage,
	type WorkerMessage
} from '#lib/core/protocol/messages.ts';
import type { Clock } from '#lib/platform/clock.ts';
import type { LeadershipPort } from '#lib/platform/leadership.ts';

/** The engine of a worker that leads. */
export interface LeadingEngine {
	readonly epoch: number;
	/** Null when another worker leads by now. */
	handle(command: CommandEnvelope): Promise<ReceiptEnvelope | null>;
	watch(threadId: string): void;
	/** Stops at once, writes nothing more. */
	close(): void;
}

export interface WorkerHostDeps {
	readonly clock: Clock;
	readonly leadership: LeadershipPort;
	/** Reaches the workers of the other tabs, never this one. */
	readonly toPeers: (message: PeerMessage) => void;
	readonly toTab: (message: WorkerMessage) => void;
	/** Opens the database, recovers, and begins to work. A failure is said through `onState` and answered with null. */
	readonly startEngine: (hooks: {
		readonly emit: (event: EngineEvent) => void;
		readonly onState: (state: EngineState) => void;
		readonly onFenced: () => void;
	}) => Promise<LeadingEngine | null>;
}

/** A follower that has heard nothing of the leader for this long calls it. */
const silenceBeforeCallMs = 5_000;
/** A leader that does not answer a call for this long is frozen: its lock is taken. */
const silenceBeforeStealMs = 10_000;
/** While leading, a sign of life this often. */
const aliveEveryMs = 2_000;

export function createWorkerHost(deps: WorkerHostDeps) {
	const unanswered = new Map<string, CommandEnvelope>();
	let engine: LeadingEngine | null = null;
	let state: EngineState = { kind: 'starting' };
	let leaderHeardAtMs = deps.clock.monotonicMs();

	const setState = (next: EngineState) => {
		state = next;
		deps.toTab({ kind: 'event', event: { type: 'engine.state', state } });
	};
	const emit = (event: EngineEvent) => {
		deps.toTab({ kind: 'event', event });
		deps.toPeers({ kind: 'event', event });
	};

	async function carryOut(command: CommandEnvelope, isOwn: boolean): Promise<void> {
		const receipt = await engine?.handle(command);
		if (!receipt) return; // the next leader answers
		if (isOwn) settle(receipt);
		else deps.toPeers(receipt);
	}

	function settle(receipt: ReceiptEnvelope): void {
		if (unanswered.delete(receipt.submissionId)) deps.toTab(receipt);
	}

	function sendUnanswered(): void {
		for (const command of unanswered.values()) {
			if (engine) void carryOut(command, true);
			else deps.toPeers(command);
		}
	}

	async function lead(signal: AbortSignal): Promise<void> {
		setState({ kind: 'starting' });
		const fenced = Promise.withResolvers<void>();
		signal.addEventListener('abort', () => fenced.resolve());
		const started = await deps.startEngine({ emit, onState: setState, onFenced: fenced.resolve });
		if (!started) {
			// Keeps the lock: another worker would meet the same database. The tab says what is wrong and starts a new worker.
			await fenced.promise;
			return;
		}
		if (signal.aborted) return started.close();
		engine = started;
		setState({ kind: 'leading', epoch: started.epoch });
		deps.toPeers({ kind: 'leader', version: PROTOCOL_VERSION, epoch: started.epoch });
		sendUnanswered();
		const stopped = new AbortController();
		void fenced.promise.then(() => stopped.abort());
		while (!stopped.signal.aborted) {
			deps.toPeers({ kind: 'alive', epoch: started.epoch });
			await deps.clock.sleep(aliveEveryMs, stopped.signal);
		}
		engine = null;
		started.close();
	}

	async function compete(): Promise<never> {
		for (let steal = false; ;) {
			await deps.leadership.request(lead, { steal });
			steal = false;
			// Led once and was fenced out, or never started: follow, and wait for the lock again.
			leaderHeardAtMs = deps.clock.monotonicMs();
			setState({ kind: 'following' });
			await deps.clock.sleep(100);
			sendUnanswered();
		}
	}

	async function watchLeader(): Promise<never> {
		for (let calledAtMs: number | null = null; ;) {
			await deps.clock.sleep(1_000);
			const nowMs = deps.clock.monotonicMs();
			if (engine || state.kind !== 'following') {
				calledAtMs = null;
				continue;
			}
			if (nowMs - leaderHeardAtMs < silenceBeforeCallMs) calledAtMs = null;
			else if (calledAtMs === null) {
				calledAtMs = nowMs;
				deps.toPeers({ kind: 'call' });
			} else if (nowMs - calledAtMs >= silenceBeforeStealMs && leaderHeardAtMs < calledAtMs) {
				calledAtMs = null;
				leaderHeardAtMs = nowMs;
				void deps.leadership.request(lead, { steal: true }).then(() => setState({ kind: 'following' }));
			}
		}
	}

	return {
		start(): void {
			void compete();
			void watchLeader();
			// Not the first: until a leader speaks, this one says that it follows.
			void deps.clock.sleep(50).then(() => {
				if (!engine && state.kind === 'starting') deps.toPeers({ kind: 'call' });
			});
		},
		fromTab(message: Exclude<TabMessage, { kind: 'start' }>): void {
			switch (message.kind) {
				case 'command':
					unanswered.set(message.submissionId, message);
					if (engine) void carryOut(message, true);
					else deps.toPeers(message);
					return;
				case 'watch':
					if (engine) engine.watch(message.threadId);
					else deps.toPeers(message);
			}
		},
		fromPeer(message: PeerMessage): void {
			switch (message.kind) {
				case 'command':
					if (engine) void carryOut(message, false);
					return;
				case 'receipt':
					settle(message);
					return;
				case 'watch':
					engine?.watch(message.threadId);
					return;
				case 'event':
					deps.toTab(message);
					return;
				case 'call':
					if (engine) deps.toPeers({ kind: 'alive', epoch: engine.epoch });
					return;
				case 'leader':
				case 'alive':
					leaderHeardAtMs = deps.clock.monotonicMs();
					if (message.kind === 'leader' && message.version !== PROTOCOL_VERSION) setState({ kind: 'failed', code: 'engine-outdated' });
					else if (!engine && state.kind === 'starting') setState({ kind: 'following' });
					if (message.kind === 'leader') sendUnanswered();
			}
		}
	};
}
