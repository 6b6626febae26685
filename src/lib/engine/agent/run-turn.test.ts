import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelError, type ModelEvent } from '#lib/core/context/model.ts';
import { createDeltaBuffer } from './delta-buffer.ts';
import { runTurn, type AnswerSoFar, type RunTurnDeps } from './run-turn.ts';

const text = (piece: string): ModelEvent => ({ type: 'text', text: piece });
const reasoning = (piece: string): ModelEvent => ({ type: 'reasoning', text: piece });
const end: ModelEvent = { type: 'end', stopReason: 'stop', usage: null, model: null };

function setupTurn(events: Iterable<ModelEvent | Error | (() => void | Promise<void>)>, change: Partial<RunTurnDeps> = {}) {
	const told: string[] = [];
	const kept: AnswerSoFar[] = [];
	const clock = { nowMs: 0 };
	async function* stream(): AsyncGenerator<ModelEvent> {
		for (const event of events) {
			if (typeof event === 'function') await event();
			else if (event instanceof Error) throw event;
			else yield event;
		}
	}
	const deps: RunTurnDeps = {
		stream: stream(),
		signal: new AbortController().signal,
		monotonicMs: () => clock.nowMs,
		onStart: () => Promise.resolve(void told.push('start')),
		onText: (at, piece) => told.push(`${at} ${piece}`),
		onReasoning: (at, piece) => told.push(`(${at} ${piece})`),
		checkpoint: (answer) => Promise.resolve(void kept.push(answer)),
		checkpointEveryMs: 1_500,
		...change
	};
	return { run: () => runTurn(deps), told, kept, clock };
}

describe('runTurn', () => {
	it('RUN-01: gathers text and thinking, and says where each piece goes', async () => {
		const usage = { inputTokens: 1, outputTokens: 2 };
		const turn = setupTurn([
			{ type: 'start' },
			reasoning('hm'),
			reasoning('m'),
			text('a'),
			text('🌳'),
			text('b'),
			{ type: 'end', stopReason: 'length', usage, model: 'real' }
		]);
		expect(await turn.run()).toEqual({
			kind: 'complete',
			answer: { text: 'a🌳b', reasoning: 'hmm' },
			stopReason: 'length',
			usage,
			model: 'real'
		});
		expect(turn.told).toEqual(['start', '(0 hm)', '(2 m)', '0 a', '1 🌳', '3 b']);
	});

	it('RUN-02: a failing model is an outcome, with what had arrived', async () => {
		const failure = { code: 'model-rate-limited' as const, status: 429 };
		expect(await setupTurn([text('half'), new ModelError(failure)]).run()).toEqual({
			kind: 'failed',
			answer: { text: 'half', reasoning: '' },
			failure
		});
		expect(await setupTurn([text('half')]).run()).toEqual({
			kind: 'failed',
			answer: { text: 'half', reasoning: '' },
			failure: { code: 'model-stream-cut' }
		});
		await expect(setupTurn([new TypeError('a bug')]).run()).rejects.toThrow('a bug');
	});

	it('RUN-03: broken off by the person, it is stopped and not failed', async () => {
		const controller = new AbortController();
		const events = [text('half'), () => controller.abort(), new ModelError({ code: 'model-aborted' })];
		expect(await setupTurn(events, { signal: controller.signal }).run()).toEqual({
			kind: 'stopped',
			answer: { text: 'half', reasoning: '' }
		});
	});

	it('RUN-04: no word is told before the start is durable, and none when it cannot be', async () => {
		const gate = Promise.withResolvers<void>();
		const turn = setupTurn([{ type: 'start' }, text('a'), end], { onStart: () => gate.promise });
		const running = turn.run();
		await new Promise((resolve) => setTimeout(resolve));
		expect(turn.told).toEqual([]);
		gate.resolve();
		await running;
		expect(turn.told).toEqual(['0 a']);
		const refused = setupTurn([{ type: 'start' }, text('a'), end], { onStart: () => Promise.reject(new Error('planted')) });
		await expect(refused.run()).rejects.toThrow('planted');
		expect(refused.told).toEqual([]);
	});

	it('RUN-05: at most one checkpoint in 1.5 s, whatever the pace', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(900), { minLength: 1, maxLength: 40 }), async (pauses) => {
				const times: number[] = [];
				const turn = setupTurn([...pauses.flatMap((pause) => [() => void (turn.clock.nowMs += pause), text('x')]), end], {
					checkpoint: () => Promise.resolve(void times.push(turn.clock.nowMs))
				});
				await turn.run();
				const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
				expect(gaps.filter((gap) => gap < 1_500)).toEqual([]);
				// Never later than the first word after 1.5 s either: no pause here is longer.
				expect(gaps.filter((gap) => gap >= 1_500 + 900)).toEqual([]);
				expect(times[0]).toBe(pauses[0]);
			})
		);
	});

	it('RUN-05: a slow disk is never asked for two at once', async () => {
		let open = 0;
		let most = 0;
		const releases: (() => void)[] = [];
		const checkpoint = () => {
			most = Math.max(most, ++open);
			return new Promise<void>((resolve) => releases.push(resolve)).finally(() => open--);
		};
		const step = (turn: ReturnType<typeof setupTurn>) => () => void (turn.clock.nowMs += 2_000);
		const turn: ReturnType<typeof setupTurn> = setupTurn(
			[
				() => step(turn)(),
				text('a'),
				() => step(turn)(),
				text('b'),
				() => releases.shift()?.(),
				() => Promise.resolve(),
				text('c'),
				() => releases.shift()?.(),
				end
			],
			{ checkpoint }
		);
		await turn.run();
		expect(most).toBe(1);
	});

	it('RUN-06: the end waits for the checkpoint that is being written, and a failed one is thrown', async () => {
		const gate = Promise.withResolvers<void>();
		let isOver = false;
		const running = setupTurn([text('a'), end], { checkpoint: () => gate.promise }).run();
		void running.then(() => (isOver = true));
		await new Promise((resolve) => setTimeout(resolve));
		expect(isOver).toBe(false);
		gate.resolve();
		expect((await running).kind).toBe('complete');
		await expect(setupTurn([text('a'), end], { checkpoint: () => Promise.reject(new Error('planted')) }).run()).rejects.toThrow('planted');
	});
});

describe('the delta buffer', () => {
	it('RUN-07: small pieces are told together, each once, with their places', () => {
		fc.assert(
			fc.property(
				fc.array(fc.oneof(fc.record({ text: fc.string() }), fc.record({ reasoning: fc.string() }), fc.constant('flush' as const))),
				(steps) => {
					const scheduled: (() => void)[] = [];
					const told = { text: '', reasoning: '' };
					const buffer = createDeltaBuffer({
						emitText: (at, piece) => {
							expect(at).toBe(told.text.length);
							told.text += piece;
						},
						emitReasoning: (at, piece) => {
							expect(at).toBe(told.reasoning.length);
							told.reasoning += piece;
						},
						schedule: (flush) => scheduled.push(flush)
					});
					const all = { text: '', reasoning: '' };
					for (const step of steps) {
						if (step === 'flush') scheduled.shift()?.();
						else if ('text' in step) {
							buffer.addText(step.text);
							all.text += step.text;
						} else {
							buffer.addReasoning(step.reasoning);
							all.reasoning += step.reasoning;
						}
						expect(scheduled.length).toBeLessThanOrEqual(1);
					}
					buffer.flush();
					expect({ told, soFar: buffer.soFar() }).toEqual({ told: all, soFar: all });
				}
			)
		);
	});
});
