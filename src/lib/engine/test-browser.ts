// Several tabs of one browser, with their workers' hosts: a lock, a channel, and a clock that only tests move.
import type { EngineState } from '#lib/core/protocol/events.ts';
import { PROTOCOL_VERSION, type CommandEnvelope, type PeerMessage, type WorkerMessage } from '#lib/core/protocol/messages.ts';
import { newId } from '#lib/platform/ids.ts';
import { createSteppedClock, type SteppedClock } from '#lib/storage/test-database.ts';
import { envelopeOf } from './test-engine.ts';
import { createWorkerHost, type LeadingEngine, type WorkerHostDeps } from './worker-host.ts';

type Lead = (signal: AbortSignal) => Promise<void>;

export function createBrowser() {
	const clock = createSteppedClock();
	const queue: (() => void)[] = [];
	const hosts: { readonly host: ReturnType<typeof createWorkerHost>; isFrozen: boolean }[] = [];
	const said: PeerMessage[] = [];
	let holder: { readonly controller: AbortController; readonly lost: () => void } | null = null;
	let epoch = 0;
	async function hold(lead: Lead): Promise<void> {
		const controller = new AbortController();
		const lost = Promise.withResolvers<void>();
		const mine = { controller, lost: lost.resolve };
		holder = mine;
		const leading = lead(controller.signal);
		await Promise.race([leading, lost.promise]);
		if (holder === mine) {
			holder = null;
			queue.shift()?.();
		}
		await leading;
	}
	const leadership: WorkerHostDeps['leadership'] = {
		async request(lead, { steal }) {
			if (steal && holder) {
				holder.controller.abort();
				holder.lost();
				holder = null;
			} else if (holder || queue.length > 0) await new Promise<void>((resolve) => queue.push(resolve));
			await hold(lead);
		}
	};
	return { clock, leadership, hosts, said, nextEpoch: () => ++epoch };
}

export type Browser = ReturnType<typeof createBrowser>;

export interface TabOptions {
	/** What the engine does with a command; null: it leads no longer. */
	readonly answer?: (command: CommandEnvelope, epoch: number) => unknown;
	readonly start?: (hooks: Parameters<WorkerHostDeps['startEngine']>[0]) => Promise<void> | void;
	/** Its database cannot be opened. */
	readonly failure?: () => EngineState | null;
}

export function openTab(browser: Browser, options: TabOptions = {}) {
	const toTab: WorkerMessage[] = [];
	const handled: string[] = [];
	let hooks: Parameters<WorkerHostDeps['startEngine']>[0] | null = null;
	let closed = 0;
	const entry = { isFrozen: false } as (typeof browser.hosts)[number] & { host: ReturnType<typeof createWorkerHost> };
	const host = createWorkerHost({
		clock: browser.clock,
		leadership: browser.leadership,
		toPeers(message) {
			if (entry.isFrozen) return;
			browser.said.push(message);
			for (const other of browser.hosts) if (other !== entry && !other.isFrozen) queueMicrotask(() => other.host.fromPeer(message));
		},
		toTab: (message) => toTab.push(message),
		async startEngine(given): Promise<LeadingEngine | null> {
			hooks = given;
			await options.start?.(given);
			const failure = options.failure?.() ?? null;
			if (failure) {
				given.onState(failure);
				return null;
			}
			const epoch = browser.nextEpoch();
			return {
				epoch,
				handle(command) {
					handled.push(command.submissionId);
					const value = options.answer ? options.answer(command, epoch) : { epoch };
					const { clientId, submissionId } = command;
					return Promise.resolve(value === null ? null : { kind: 'receipt', clientId, submissionId, result: { ok: true, value } });
				},
				watch: (threadId) =>
					given.emit({ type: 'text.snapshot', threadId, runId: 'r', nodeId: 'n', text: `snapshot of epoch ${epoch}`, reasoning: '' }),
				close: () => void closed++
			};
		}
	});
	Object.assign(entry, { host });
	browser.hosts.push(entry);
	host.start();
	const events = () => toTab.flatMap((message) => (message.kind === 'event' ? [message.event] : []));
	return {
		host,
		handled,
		events,
		closed: () => closed,
		hooks: () => {
			if (!hooks) throw new Error('this tab never led');
			return hooks;
		},
		freeze: () => void (entry.isFrozen = true),
		thaw: () => void (entry.isFrozen = false),
		state: () =>
			events()
				.flatMap((event) => (event.type === 'engine.state' ? [event.state] : []))
				.at(-1),
		receipts: () => toTab.flatMap((message) => (message.kind === 'receipt' ? [message] : [])),
		send(version = PROTOCOL_VERSION) {
			const envelope = { ...envelopeOf('ping', {}, newId()), version };
			host.fromTab(envelope);
			return envelope.submissionId;
		}
	};
}

export async function settle(): Promise<void> {
	for (let at = 0; at < 5; at++) await new Promise((resolve) => setTimeout(resolve));
}

/** Lets time pass in small steps, so that sleepers wake in order. */
export async function pass(clock: SteppedClock, ms: number): Promise<void> {
	for (let left = ms; left > 0; left -= 500) {
		clock.step(Math.min(500, left));
		await new Promise((resolve) => setTimeout(resolve));
	}
	await settle();
}

export async function openTabs(browser: Browser, ...options: TabOptions[]) {
	const tabs = [];
	for (const option of options) {
		tabs.push(openTab(browser, option));
		await settle();
	}
	await pass(browser.clock, 100);
	const [first, second, third] = tabs;
	if (!first) throw new Error('there is a tab');
	return { first, second: second ?? first, third: third ?? first };
}
