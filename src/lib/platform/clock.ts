// Time as a port, so that tests can step it. Runs anywhere.

export interface Clock {
	/** Integer Unix milliseconds. May jump in both directions; stamps and deadlines must bear that. */
	nowMs(): number;
	/** Milliseconds since some start, never going back; for durations. */
	monotonicMs(): number;
	/** Resolves after at least `delayMs`, at once when `signal` aborts; never rejects. */
	sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export function createSystemClock(): Clock {
	return {
		nowMs: () => Date.now(),
		monotonicMs: () => performance.now(),
		sleep: (delayMs, signal) =>
			new Promise((resolve) => {
				if (signal?.aborted) return resolve();
				const done = () => {
					clearTimeout(timer);
					signal?.removeEventListener('abort', done);
					resolve();
				};
				const timer = setTimeout(done, delayMs);
				signal?.addEventListener('abort', done);
			})
	};
}
