// One of several workers leads: by a Web Lock, taken from a leader that has stopped answering. RUNS IN THE ENGINE WORKER.
// SPEC.md of the engine, LEAD-01 to LEAD-05.
//
// A page that goes into the back/forward cache keeps its worker and the worker its lock, for good: the tab ends its worker on
// `pagehide`. A frozen leader keeps the lock too: it is called, and when it does not answer the lock is taken from it.

export interface LeadershipPort {
	/**
	 * Waits for the lock and calls `lead` while holding it; resolves when `lead` resolved. `lead`'s signal aborts when another
	 * worker took the lock away. `steal`: takes it at once.
	 */
	request(lead: (signal: AbortSignal) => Promise<void>, options: { readonly steal: boolean }): Promise<void>;
}

export function createWebLockLeadership(name: string): LeadershipPort {
	return {
		async request(lead, { steal }) {
			const taken = new AbortController();
			let leading: Promise<void> | undefined;
			try {
				await navigator.locks.request(name, steal ? { steal: true } : {}, () => (leading = lead(taken.signal)));
			} catch (error) {
				// The request rejects with AbortError when the lock is stolen, while `lead` is still at work.
				if (!(error instanceof DOMException && error.name === 'AbortError')) throw error;
				taken.abort();
				await leading;
			}
		}
	};
}
