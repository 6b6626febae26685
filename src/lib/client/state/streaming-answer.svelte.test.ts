import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import { StreamingAnswer } from './streaming-answer.svelte.ts';

const about = { threadId: 't', runId: 'r', nodeId: 'n' };
const delta = (at: number, text: string, fields: object = {}): EngineEvent => ({ type: 'text.delta', ...about, at, text, ...fields });

it('VIEW-07: pieces may come twice or late: the text is never wrong, and a gap asks for the whole', () => {
	fc.assert(
		fc.property(
			fc.array(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 }),
			fc.array(fc.nat(7)),
			(pieces, order) => {
				const whole = pieces.join('');
				const starts = pieces.map((_, at) => pieces.slice(0, at).join('').length);
				let asked = 0;
				const answer = new StreamingAnswer('t', () => asked++);
				for (const at of order.map((pick) => pick % pieces.length)) {
					const before = answer.text;
					const [start, piece] = [starts[at] ?? 0, pieces[at] ?? ''];
					answer.receive(delta(start, piece));
					expect(whole.startsWith(answer.text)).toBe(true);
					expect(answer.text.length).toBeGreaterThanOrEqual(before.length);
					if (start > before.length) expect(asked).toBeGreaterThan(0);
				}
				answer.receive({ type: 'text.snapshot', ...about, text: whole, reasoning: 'hm' });
				expect([answer.text, answer.reasoning, answer.runId]).toEqual([whole, 'hm', 'r']);
			}
		)
	);
});

it('VIEW-07: another run begins anew, and another thread is left alone', () => {
	const answer = new StreamingAnswer('t', () => {});
	answer.receive(delta(0, 'stranger', { threadId: 'other' }));
	expect([answer.runId, answer.text]).toEqual([null, '']);
	answer.receive(delta(0, 'one'));
	answer.receive({ type: 'reasoning.delta', ...about, at: 0, text: 'hm' });
	answer.receive(delta(0, 'two', { runId: 'r2' }));
	expect([answer.runId, answer.text, answer.reasoning]).toEqual(['r2', 'two', '']);
});
