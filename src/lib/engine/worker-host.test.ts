import { describe, expect, it, vi } from 'vitest';
import type { EngineEvent, EngineState } from '#lib/core/protocol/events.ts';
import { PROTOCOL_VERSION } from '#lib/core/protocol/messages.ts';
import { createBrowser, openTab, openTabs, pass, settle } from './test-browser.ts';
import { envelopeOf } from './test-engine.ts';

const full: EngineState = { kind: 'failed', code: 'storage-full' };

describe('several tabs', () => {
	it('LEAD-01: one leads; the others forward and hear what it says', async () => {
		const browser = createBrowser();
		const { first, second, third } = await openTabs(browser, {}, {}, {});
		expect([first.state(), second.state(), third.state()]).toEqual([
			{ kind: 'leading', epoch: 1 },
			{ kind: 'following' },
			{ kind: 'following' }
		]);
		const [own, forwarded] = [first.send(), second.send()];
		await settle();
		expect(first.handled).toEqual([own, forwarded]);
		expect([first, second, third].map((tab) => tab.receipts().map((receipt) => receipt.submissionId))).toEqual([[own], [forwarded], []]);
		second.host.fromTab({ kind: 'watch', threadId: 't' });
		await settle();
		for (const tab of [first, second, third])
			expect(tab.events().at(-1)).toMatchObject({ type: 'text.snapshot', text: 'snapshot of epoch 1' });
	});

	it('LEAD-02: when the leader goes, the next one answers what had no receipt', async () => {
		const browser = createBrowser();
		const { first, second, third } = await openTabs(browser, { answer: () => null }, {}, {});
		const [a, b] = [second.send(), third.send()];
		await settle();
		expect(second.receipts()).toEqual([]);
		first.hooks().onFenced();
		first.freeze();
		await settle();
		expect(second.state()).toEqual({ kind: 'leading', epoch: 2 });
		expect(second.receipts()).toMatchObject([{ submissionId: a, result: { value: { epoch: 2 } } }]);
		expect(third.receipts()).toMatchObject([{ submissionId: b, result: { value: { epoch: 2 } } }]);
		expect(third.state()).toEqual({ kind: 'following' });
	});

	it('LEAD-02: a deposed leader has its own commands answered by the next', async () => {
		const browser = createBrowser();
		const { first, second } = await openTabs(browser, { answer: (_command, epoch) => (epoch === 1 ? null : { epoch }) }, {});
		const own = first.send();
		first.hooks().onFenced();
		await pass(browser.clock, 200);
		expect([first.state(), second.state()]).toEqual([{ kind: 'following' }, { kind: 'leading', epoch: 2 }]);
		expect(first.receipts()).toMatchObject([{ submissionId: own, result: { value: { epoch: 2 } } }]);
		expect(first.closed()).toBe(1);
	});

	it('LEAD-03: a leader that stopped answering is called, and its lock taken after 15 s', async () => {
		const browser = createBrowser();
		const { first, second } = await openTabs(browser, {}, {});
		await pass(browser.clock, 30_000);
		expect(second.state()).toEqual({ kind: 'following' });
		first.freeze();
		const submissionId = second.send();
		await pass(browser.clock, 13_000);
		expect(second.state()).toEqual({ kind: 'following' });
		await pass(browser.clock, 6_000);
		expect(second.state()).toEqual({ kind: 'leading', epoch: 2 });
		expect(second.receipts()).toMatchObject([{ submissionId, result: { value: { epoch: 2 } } }]);
		first.thaw();
		await pass(browser.clock, 5_000);
		expect([first.state(), first.closed()]).toEqual([{ kind: 'following' }, 1]);
	});

	it('LEAD-03: a tab that opens when the leader is frozen already takes over too', async () => {
		const browser = createBrowser();
		const { first } = await openTabs(browser, {});
		first.freeze();
		const late = openTab(browser);
		await pass(browser.clock, 19_000);
		expect(late.state()).toEqual({ kind: 'leading', epoch: 2 });
	});

	it('LEAD-04: a leader whose lock was taken while it started never leads', async () => {
		const browser = createBrowser();
		const gate = Promise.withResolvers<void>();
		const first = openTab(browser, { start: () => gate.promise });
		await settle();
		first.freeze();
		const second = openTab(browser);
		await pass(browser.clock, 19_000);
		expect(second.state()).toEqual({ kind: 'leading', epoch: 1 });
		first.thaw();
		gate.resolve();
		await pass(browser.clock, 500);
		expect([first.state(), first.closed(), second.state()]).toEqual([{ kind: 'following' }, 1, { kind: 'leading', epoch: 1 }]);
		expect(first.events().filter((event) => event.type === 'engine.state' && event.state.kind === 'leading')).toEqual([]);
	});

	it('LEAD-05: a leader that takes long to start gives signs of life, and is left in peace', async () => {
		const browser = createBrowser();
		const gate = Promise.withResolvers<void>();
		const { first, second } = await openTabs(browser, { start: () => gate.promise }, {});
		const submissionId = second.send();
		await pass(browser.clock, 60_000);
		expect([first.state(), second.state()]).toEqual([{ kind: 'starting' }, undefined]);
		expect(browser.said.filter((message) => message.kind === 'alive').length).toBeGreaterThanOrEqual(30);
		expect(browser.said.filter((message) => message.kind === 'call').length).toBe(1);
		gate.resolve();
		await settle();
		expect([first.state(), second.state()]).toEqual([{ kind: 'leading', epoch: 1 }, { kind: 'following' }]);
		expect(second.receipts()).toMatchObject([{ submissionId }]);
	});
});

describe('trouble', () => {
	it('LEAD-06: an engine that cannot start says why in every tab, gives the lock up, and tries again', async () => {
		const browser = createBrowser();
		let failure: EngineState | null = full;
		const { first, second } = await openTabs(browser, { failure: () => failure }, { failure: () => failure });
		const submissionId = second.send();
		expect([first.state(), second.state()]).toEqual([full, full]);
		await pass(browser.clock, 12_000);
		expect([first.state(), second.state()]).toEqual([full, full]);
		failure = null;
		await pass(browser.clock, 12_000);
		expect([first.state()?.kind, second.state()?.kind].sort()).toEqual(['following', 'leading']);
		expect(second.receipts()).toMatchObject([{ submissionId }]);
	});

	it('LEAD-06: without locks the tab is told, and it goes on trying', async () => {
		vi.spyOn(console, 'error').mockReturnValue();
		const browser = createBrowser();
		const request = vi.spyOn(browser.leadership, 'request').mockRejectedValueOnce(new TypeError('no locks'));
		const tab = openTab(browser);
		await settle();
		expect(tab.state()).toMatchObject({ kind: 'failed', code: 'engine-failed' });
		await pass(browser.clock, 6_000);
		expect([request.mock.calls.length, tab.state()?.kind]).toEqual([2, 'leading']);
		vi.mocked(console.error).mockRestore();
	});

	it('LEAD-07: an engine that found a newer database steps down for good, and refuses its own tab', async () => {
		const browser = createBrowser();
		const { first, second } = await openTabs(browser, {}, {});
		const { onState, onFenced } = first.hooks();
		onState({ kind: 'failed', code: 'engine-outdated' });
		onFenced();
		const submissionId = first.send();
		await pass(browser.clock, 40_000);
		expect(first.state()).toEqual({ kind: 'failed', code: 'engine-outdated' });
		expect(first.receipts()).toMatchObject([{ submissionId, result: { ok: false, error: { code: 'engine-outdated' } } }]);
		expect([second.state(), first.closed()]).toEqual([{ kind: 'leading', epoch: 2 }, 1]);
		second.freeze();
		second.hooks().onFenced();
		await pass(browser.clock, 40_000);
		expect(first.state()).toEqual({ kind: 'failed', code: 'engine-outdated' });
	});

	it('LEAD-07: a leader makes way for a tab of a newer Bough, and says nothing in its place', async () => {
		const browser = createBrowser();
		const { first, second } = await openTabs(browser, {}, {});
		first.host.fromPeer({ ...envelopeOf('ping', {}), version: PROTOCOL_VERSION + 1 });
		await pass(browser.clock, 1_000);
		expect([first.state(), second.state()]).toEqual([
			{ kind: 'failed', code: 'engine-outdated' },
			{ kind: 'leading', epoch: 2 }
		]);
		expect(first.handled).toEqual([]);
		second.host.fromPeer({ kind: 'leader', version: PROTOCOL_VERSION + 1, epoch: 9 });
		await settle();
		expect(second.state()).toEqual({ kind: 'failed', code: 'engine-outdated' });
	});

	it('LEAD-07: a follower that is outdated does not lead when its turn comes', async () => {
		const browser = createBrowser();
		const { first, second, third } = await openTabs(browser, {}, {}, {});
		second.host.fromPeer({ kind: 'leader', version: PROTOCOL_VERSION + 1, epoch: 9 });
		first.hooks().onFenced();
		first.freeze();
		await pass(browser.clock, 1_000);
		expect([second.state(), third.state()]).toEqual([
			{ kind: 'failed', code: 'engine-outdated' },
			{ kind: 'leading', epoch: 2 }
		]);
	});

	it("LEAD-08: a leader's trouble and the end of it are told in every tab, as each of them stands", async () => {
		const browser = createBrowser();
		const { first, second } = await openTabs(browser, {}, {});
		const tell = (state: EngineState) => {
			const event: EngineEvent = { type: 'engine.state', state };
			first.hooks().emit(event);
			return settle();
		};
		await tell(full);
		expect([first.state(), second.state()]).toEqual([full, full]);
		const late = openTab(browser);
		await pass(browser.clock, 200);
		expect(late.state()).toEqual(full);
		await tell({ kind: 'leading', epoch: 1 });
		expect([first.state(), second.state(), late.state()]).toEqual([
			{ kind: 'leading', epoch: 1 },
			{ kind: 'following' },
			{ kind: 'following' }
		]);
	});
});
