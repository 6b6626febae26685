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
import { err } from '#lib/core/std/result.ts';
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
/** Who holds the lock gives a sign of life this often, also while it starts. */
const aliveEveryMs = 2_000;
/** An engine that cannot start gives the lock up after this long, and tries again when its turn comes. */
const restAfterFailureMs = 5_000;

const outdatedCodes: ReadonlySet<string> = new Set(['engine-outdated', 'storage-outdated']);

export function createWorkerHost(deps: WorkerHostDeps) {
	const unanswered = new Map<string, CommandEnvelope>();
	let engine: LeadingEngine | null = null;
	let state: EngineState = { kind: 'starting' };
	/** Ends the lead, or the attempt at it; null while another worker holds the lock. */
	let stepDown: (() => void) | null = null;
	/** This code is older than another tab's, or than the database: it never leads again. */
	let isOutdated = false;
	let leaderHeardAtMs = deps.clock.monotonicMs();

	function setState(next: EngineState): void {
		if (isOutdated) return;
		state = next;
		const event: EngineEvent = { type: 'engine.state', state };
		deps.toTab({ kind: 'event', event });
		if (next.kind === 'failed' && outdatedCodes.has(next.code)) return retire();
		if (stepDown && (next.kind === 'failed' || next.kind === 'leading')) deps.toPeers({ kind: 'event', event });
	}

	function retire(): void {
		isOutdated = true;
		for (const command of unanswered.values()) refuseOutdated(command);
		unanswered.clear();
		stepDown?.();
	}

	function refuseOutdated({ clientId, submissionId }: CommandEnvelope): void {
		deps.toTab({ kind: 'receipt', clientId, submissionId, result: err({ code: 'engine-outdated' }) });
	}

	function emit(event: EngineEvent): void {
		if (event.type === 'engine.state') return setState(event.state);
		deps.toTab({ kind: 'event', event });
		deps.toPeers({ kind: 'event', event });
	}

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

	async function lead(taken: AbortSignal): Promise<void> {
		if (isOutdated) return;
		const over = new AbortController();
		const end = () => over.abort();
		taken.addEventListener('abort', end);
		stepDown = end;
		void giveSignsOfLife(over.signal);
		if (state.kind !== 'failed') setState({ kind: 'starting' });
		const started = await deps.startEngine({ emit, onState: setState, onFenced: end });
		if (!started) await deps.clock.sleep(restAfterFailureMs, over.signal);
		else if (!over.signal.aborted) {
			engine = started;
			setState({ kind: 'leading', epoch: started.epoch });
			deps.toPeers({ kind: 'leader', version: PROTOCOL_VERSION, epoch: started.epoch });
			sendUnanswered();
			await untilAborted(over.signal);
		}
		if (engine === started) engine = null;
		started?.close();
		end();
		if (stepDown === end) stepDown = null;
	}

	async function giveSignsOfLife(over: AbortSignal): Promise<void> {
		while (!over.aborted) {
			deps.toPeers({ kind: 'alive', epoch: engine?.epoch ?? 0 });
			await deps.clock.sleep(aliveEveryMs, over);
		}
	}

	/** Returns when the lead was lost, given up, or could not begin. */
	async function tryToLead(steal: boolean): Promise<void> {
		await deps.leadership.request(lead, { steal }).catch(async (error: unknown) => {
			// No Web Locks here, or a bug.
			console.error(error);
			setState({ kind: 'failed', code: 'engine-failed', detail: String(error).slice(0, 300) });
			await deps.clock.sleep(restAfterFailureMs);
		});
		if (stepDown) return;
		leaderHeardAtMs = deps.clock.monotonicMs();
		if (state.kind !== 'failed') setState({ kind: 'following' });
		// A new leader may have spoken while this one did not know yet that it led no longer.
		sendUnanswered();
	}

	async function compete(): Promise<void> {
		while (!isOutdated) {
			await tryToLead(false);
			await deps.clock.sleep(100);
		}
	}

	async function watchLeader(): Promise<void> {
		for (let calledAtMs: number | null = null; !isOutdated;) {
			await deps.clock.sleep(1_000);
			const nowMs = deps.clock.monotonicMs();
			if (stepDown || nowMs - leaderHeardAtMs < silenceBeforeCallMs) calledAtMs = null;
			else if (calledAtMs === null) {
				calledAtMs = nowMs;
				deps.toPeers({ kind: 'call' });
			} else if (nowMs - calledAtMs >= silenceBeforeStealMs) {
				calledAtMs = null;
				leaderHeardAtMs = nowMs;
				void tryToLead(true);
			}
		}
	}

	/** Only a leader sends receipts and events: each is a sign of life. */
	function hearSign(): void {
		leaderHeardAtMs = deps.clock.monotonicMs();
		if (!stepDown && state.kind === 'starting') setState({ kind: 'following' });
	}

	function hearLeader(message: Extract<PeerMessage, { kind: 'leader' | 'alive' }>): void {
		leaderHeardAtMs = deps.clock.monotonicMs();
		const isNewer = message.kind === 'leader' && message.version > PROTOCOL_VERSION;
		if (isNewer) return setState({ kind: 'failed', code: 'engine-outdated' });
		const isAtWork = message.epoch > 0 && (message.kind === 'leader' || state.kind === 'starting');
		if (!stepDown && isAtWork) setState({ kind: 'following' });
		if (message.kind === 'leader') sendUnanswered();
	}

	return {
		start(): void {
			void compete();
			void watchLeader();
			// Not the first: until a leader speaks, this one asks for it.
			void deps.clock.sleep(50).then(() => {
				if (!stepDown && state.kind === 'starting') deps.toPeers({ kind: 'call' });
			});
		},
		fromTab(message: Exclude<TabMessage, { kind: 'start' }>): void {
			switch (message.kind) {
				case 'command':
					if (isOutdated) return refuseOutdated(message);
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
					// A tab of a newer Bough: this worker makes way for that tab's own.
					if (message.version > PROTOCOL_VERSION) setState({ kind: 'failed', code: 'engine-outdated' });
					else if (engine) void carryOut(message, false);
					return;
				case 'receipt':
					hearSign();
					settle(message);
					return;
				case 'watch':
					engine?.watch(message.threadId);
					return;
				case 'event':
					if (message.event.type !== 'engine.state') {
						hearSign();
						deps.toTab(message);
					}
					// Of the leader's states, its trouble and the end of it matter here.
					else if (!stepDown) setState(message.event.state.kind === 'failed' ? message.event.state : { kind: 'following' });
					return;
				case 'call':
					if (!stepDown) return;
					deps.toPeers({ kind: 'alive', epoch: engine?.epoch ?? 0 });
					if (state.kind === 'failed') deps.toPeers({ kind: 'event', event: { type: 'engine.state', state } });
					return;
				case 'leader':
				case 'alive':
					hearLeader(message);
			}
		}
	};
}

function untilAborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener('abort', () => resolve());
	});
}
