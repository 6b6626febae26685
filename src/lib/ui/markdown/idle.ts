// Work that can wait until the tab has nothing better to do.

const longestWaitMs = 2000;

/** Runs `work` once when the tab is idle. The answer takes the work back. */
export function whenIdle(work: () => void): () => void {
	// Safari has no requestIdleCallback.
	if (typeof requestIdleCallback === 'undefined') {
		const timer = setTimeout(work, 50);
		return () => clearTimeout(timer);
	}
	const handle = requestIdleCallback(work, { timeout: longestWaitMs });
	return () => cancelIdleCallback(handle);
}
