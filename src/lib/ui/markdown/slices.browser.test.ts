import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SliceQueue, sliceMs } from './slices.ts';

let queue = new SliceQueue();
beforeEach(() => (queue = new SliceQueue()));
afterEach(() => {
	queue.destroy();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
});

describe('SliceQueue', () => {
	for (const hasScheduler of [true, false]) {
		test(`MD-50 other tasks come between slices, ${hasScheduler ? 'with' : 'without'} the browser's scheduler`, async () => {
			if (!hasScheduler) {
				vi.stubGlobal('scheduler', undefined);
				vi.stubGlobal('requestIdleCallback', undefined);
			}
			const startsOfTasks = new Set<number>();
			let task = 0;
			const channel = new MessageChannel();
			channel.port1.onmessage = () => task++;
			let done = 0;
			addJobs(40, (n) => {
				done++;
				startsOfTasks.add(task);
				channel.port2.postMessage(n);
				busy(2);
			});
			await expect.poll(() => done, { timeout: 10_000 }).toBe(40);
			channel.port1.close();
			// Eighty milliseconds of work in slices of eight.
			expect(startsOfTasks.size).toBeGreaterThanOrEqual((40 * 2) / sliceMs / 2);
		});
	}

	test('MD-52 what is in view goes first, then what is nearest to it, and late work last', async () => {
		const order: number[] = [];
		// Twenty elements of 400 pixels, scrolled so that one stands on top.
		const scroller = document.createElement('div');
		scroller.style.cssText = 'block-size: 400px; overflow: auto';
		document.body.append(scroller);
		const elements = Array.from({ length: 20 }, () => {
			const element = document.createElement('div');
			element.style.blockSize = '400px';
			scroller.append(element);
			return element;
		});
		scroller.scrollTop = 4020;
		for (const [position, element] of elements.entries()) {
			queue.add({ element, position: 100 + position, isLate: true, run: () => order.push(100 + position) });
			queue.add({ element, position, isLate: false, run: () => order.push(position) });
		}
		await expect.poll(() => order.length, { timeout: 10_000 }).toBe(40);
		const text = order.slice(0, 20);
		expect(new Set(text)).toEqual(new Set(elements.keys()));
		expect(order.slice(20).every((position) => position >= 100)).toBe(true);
		// Drawn downwards as far as a screen below the view, then outwards from there.
		const inView = [9, 10, 11, 12];
		expect(text.slice(0, inView.length)).toEqual(inView);
		const distances = text.slice(inView.length).map((position) => Math.abs(position - 12));
		expect(distances).toEqual([...distances].sort((a, b) => a - b));
	});

	test('MD-54 work that is taken back is not done, and a failure does not stop the rest', async () => {
		const failed = vi.fn((event: Event) => event.preventDefault());
		addEventListener('error', failed);
		const done: number[] = [];
		const cancels = addJobs(4, (n) => {
			if (n === 1) throw new Error('one job fails');
			done.push(n);
		});
		cancels[2]?.();
		await expect.poll(() => done, { timeout: 10_000 }).toEqual([0, 3]);
		expect(failed).toHaveBeenCalledOnce();
		removeEventListener('error', failed);
	});

	test('MD-54 after the end nothing is done', async () => {
		const run = vi.fn();
		addJobs(3, run);
		queue.destroy();
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(run).not.toHaveBeenCalled();
	});

	test('MD-56 all but the late work can be done at once', () => {
		const done: string[] = [];
		const element = document.body;
		for (const isLate of [true, false]) queue.add({ element, position: 0, isLate, run: () => done.push(isLate ? 'late' : 'text') });
		queue.finish();
		expect(done).toEqual(['text']);
	});
});

function addJobs(count: number, run: (n: number) => void): (() => void)[] {
	return Array.from({ length: count }, (_, position) => {
		const element = document.body.appendChild(document.createElement('p'));
		return queue.add({ element, position, isLate: false, run: () => run(position) });
	});
}

function busy(ms: number): void {
	const end = performance.now() + ms;
	while (performance.now() < end);
}
