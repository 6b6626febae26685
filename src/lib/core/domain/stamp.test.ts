import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextStamp, parseStamp } from './stamp.ts';

const device = '00000000000000aa';
const time = fc.integer({ min: 1, max: 4_000_000_000_000 });

describe('stamps', () => {
	it('TREE-02: whatever the clock does, each stamp is later than the last and than all it rests on', () => {
		fc.assert(
			fc.property(fc.array(fc.tuple(time, fc.option(time, { nil: undefined })), { minLength: 1, maxLength: 30 }), (readings) => {
				let last: string | null = null;
				for (const [nowMs, foreignMs] of readings) {
					const foreign = foreignMs === undefined ? undefined : nextStamp('ffffffffffffffff', foreignMs, null);
					const next = nextStamp(device, nowMs, last, [foreign]);
					if (last !== null) expect(next > last).toBe(true);
					if (foreign !== undefined) expect(next > foreign).toBe(true);
					last = next;
				}
			})
		);
	});

	it('TREE-02: stamps sort as texts the way their times do, and say what they are made of', () => {
		fc.assert(
			fc.property(time, time, (a, b) => {
				const [first, second] = [nextStamp(device, a, null), nextStamp(device, b, null)];
				expect(Math.sign(a - b)).toBe(first === second ? 0 : first < second ? -1 : 1);
				expect(parseStamp(first)).toEqual({ timeMs: a, counter: 0, deviceId: device });
			}),
			{ examples: [[1, 2]] }
		);
	});

	it('TREE-02: a counter that is full goes on in the next millisecond', () => {
		const last = `${nextStamp(device, 1_000, null).slice(0, 9)}-ffff-${device}`;
		const next = nextStamp(device, 1_000, last);
		expect(parseStamp(next)).toEqual({ timeMs: 1_001, counter: 0, deviceId: device });
		expect(next > last).toBe(true);
	});

	it.each(['', 'x', '000000000-0000-00000000000000AA', '000000000-0000-00000000000000aa ', '00000000-00000-00000000000000aa'])(
		'TREE-02: %j is no stamp, and does not disturb the clock',
		(stamp) => {
			expect(parseStamp(stamp)).toBeNull();
			expect(nextStamp(device, 5, stamp)).toBe(nextStamp(device, 5, null));
		}
	);

	it('TREE-02: a device id of another shape is a bug', () => {
		expect(() => nextStamp('aa', 1, null)).toThrow('16 hex digits');
	});
});
