import { describe, expect, it, vi } from 'vitest';
import { DifferenceFinder, type DifferencesResult } from './difference-finder.ts';
import type { DifferencesAsked } from './differences.worker.ts';

const tooDifferent = { kind: 'too-different' } as const;

/** Workers that answer when they are told to. */
function setupFinder(longestMs = 1_000) {
	const workers: { asked: DifferencesAsked[]; isEnded: boolean; answer: () => void; break: () => void }[] = [];
	const finder = new DifferenceFinder(() => {
		const port = {
			onmessage: null as ((event: MessageEvent) => void) | null,
			onerror: null as ((event: ErrorEvent) => void) | null,
			postMessage: (message: DifferencesAsked) => worker.asked.push(message),
			terminate: () => void (worker.isEnded = true)
		};
		const worker = {
			asked: [] as DifferencesAsked[],
			isEnded: false,
			answer: () => port.onmessage?.({ data: { id: worker.asked.at(-1)?.id, differences: tooDifferent } } as MessageEvent),
			break: () => port.onerror?.({ preventDefault: () => {} } as ErrorEvent)
		};
		workers.push(worker);
		return port;
	}, longestMs);
	const results: [string, DifferencesResult['kind']][] = [];
	const find = (name: string) => finder.find(name, 'b', (result) => results.push([name, result.kind]));
	return { finder, workers, results, find };
}

describe('asking for differences', () => {
	it('WORD-06: one worker, one pair at a time, and what is taken back is answered no more', () => {
		const { workers, results, find, finder } = setupFinder();
		expect(workers.length).toBe(0);
		find('one');
		const takeBack = find('two');
		const takeBackThree = find('three');
		find('four');
		expect(workers[0]?.asked.map((asked) => asked.a)).toEqual(['one']);
		takeBack();
		workers[0]?.answer();
		expect(results).toEqual([['one', 'too-different']]);
		expect(workers[0]?.asked.map((asked) => asked.a)).toEqual(['one', 'three']);
		// What it is at is dropped with its worker.
		takeBackThree();
		expect([workers.length, workers[0]?.isEnded, workers[1]?.asked.map((asked) => asked.a)]).toEqual([2, true, ['four']]);
		finder.close();
		expect([workers[1]?.isEnded, results.length]).toEqual([true, 1]);
	});

	it('WORD-07: a worker that hangs or breaks is ended and told, and the next pair gets another', () => {
		vi.useFakeTimers();
		try {
			const { workers, results, find } = setupFinder();
			find('hangs');
			find('breaks');
			find('works');
			vi.advanceTimersByTime(1_001);
			workers[1]?.break();
			workers[2]?.answer();
			expect(results).toEqual([
				['hangs', 'too-different'],
				['breaks', 'unavailable'],
				['works', 'too-different']
			]);
			expect(workers.map((worker) => worker.isEnded)).toEqual([true, true, false]);
			const refused = new DifferenceFinder(() => {
				throw new Error('no workers here');
			});
			refused.find('a', 'b', (result) => results.push(['refused', result.kind]));
			expect(results.at(-1)).toEqual(['refused', 'unavailable']);
		} finally {
			vi.useRealTimers();
		}
	});
});
