// Work of one message that would hold up the tab if it were done in one go: done in slices between which the browser takes input
// and paints, what is in view first. Runs in a tab. Keeps MD-52 to MD-54.
import { whenIdle } from './idle.ts';

/** Half a frame: the rest of it is for layout and paint. */
export const sliceMs = 8;
/** Where nothing is painted (a hidden tab) the observer never says what is in view. */
const longestWaitForViewMs = 200;

export interface Job {
	/** What the work is for: work for what is in view, or nearly, goes before other work. */
	readonly element: Element;
	/** Place in the message. Away from the view, work for what is nearest to it goes first. */
	readonly position: number;
	/** Only once the tab is idle and nothing else is left to do. */
	readonly isLate: boolean;
	readonly run: () => void;
}

export class SliceQueue {
	readonly #jobs = new Set<Job>();
	readonly #inView = new Set<Element>();
	#observer: IntersectionObserver | undefined;
	/** False until the observer has said once what is in view. */
	#knowsView = false;
	#lastPositionInView = 0;
	#requested: { readonly isLate: boolean; readonly cancel: () => void } | undefined;

	/** The answer takes the job back. */
	add(job: Job): () => void {
		this.#jobs.add(job);
		this.#observer ??= createViewObserver((entries) => this.#look(entries));
		this.#observer.observe(job.element);
		this.#request();
		return () => this.#remove(job);
	}

	/** Does at once what is not late, for a print. */
	finish(): void {
		for (const job of this.#jobs) {
			if (job.isLate) continue;
			this.#remove(job);
			job.run();
		}
	}

	destroy(): void {
		this.#jobs.clear();
		this.#inView.clear();
		this.#observer?.disconnect();
		this.#requested?.cancel();
		this.#requested = undefined;
	}

	#look(entries: readonly IntersectionObserverEntry[]): void {
		for (const { target, isIntersecting } of entries) {
			if (isIntersecting) this.#inView.add(target);
			else this.#inView.delete(target);
		}
		this.#knowsView = true;
		const next = this.#next();
		// What came into view is not left to the next free moment.
		if (next && !next.isLate && this.#inView.has(next.element)) this.#runSlice();
		else this.#request();
	}

	#remove(job: Job): void {
		if (!this.#jobs.delete(job)) return;
		for (const { element } of this.#jobs) if (element === job.element) return;
		this.#inView.delete(job.element);
		this.#observer?.unobserve(job.element);
		if (this.#jobs.size > 0) return;
		this.#knowsView = false;
		this.#requested?.cancel();
		this.#requested = undefined;
	}

	#request(): void {
		// Nothing comes before a slice that is asked for and not late.
		if (this.#requested?.isLate === false) return;
		const next = this.#next();
		if (!next || (next.isLate && this.#requested)) return;
		this.#requested?.cancel();
		const work = () => this.#runSlice();
		const isInView = this.#inView.has(next.element);
		const cancel = next.isLate
			? whenIdle(work)
			: this.#knowsView
				? requestSlice(work, isInView ? 'user-visible' : 'background')
				: waitForView(work);
		this.#requested = { isLate: next.isLate, cancel };
	}

	#runSlice(): void {
		this.#requested?.cancel();
		this.#requested = undefined;
		this.#knowsView = true;
		const endsAt = performance.now() + sliceMs;
		let job = this.#next();
		const { isLate } = job ?? {};
		try {
			while (job && job.isLate === isLate) {
				if (this.#inView.has(job.element)) this.#lastPositionInView = job.position;
				this.#remove(job);
				job.run();
				if (performance.now() >= endsAt) break;
				job = this.#next();
			}
		} finally {
			this.#request();
		}
	}

	#next(): Job | undefined {
		let best: Job | undefined;
		for (const job of this.#jobs) if (!best || this.#isBefore(job, best)) best = job;
		return best;
	}

	#isBefore(a: Job, b: Job): boolean {
		if (a.isLate !== b.isLate) return b.isLate;
		const isInView = this.#inView.has(a.element);
		if (isInView !== this.#inView.has(b.element)) return isInView;
		if (isInView) return a.position < b.position;
		return Math.abs(a.position - this.#lastPositionInView) < Math.abs(b.position - this.#lastPositionInView);
	}
}

/** Runs `work` in a task of its own, after input and paint that wait. The answer takes the work back. */
export function requestSlice(work: () => void, priority: 'user-visible' | 'background'): () => void {
	// Safari, and Firefox before 142, have no scheduler.
	if (typeof scheduler === 'undefined') {
		if (priority === 'background') return whenIdle(work);
		const timer = setTimeout(work);
		return () => clearTimeout(timer);
	}
	const controller = new AbortController();
	scheduler.postTask(work, { priority, signal: controller.signal }).catch((reason: unknown) => {
		if (!controller.signal.aborted) reportError(reason);
	});
	return () => controller.abort();
}

function waitForView(work: () => void): () => void {
	const timer = setTimeout(work, longestWaitForViewMs);
	return () => clearTimeout(timer);
}

/** "In view" reaches one screen further up and down, so that scrolling meets what is drawn already. */
function createViewObserver(look: (entries: readonly IntersectionObserverEntry[]) => void): IntersectionObserver {
	// The message stands in a box that scrolls: the page's own margin alone would not reach over its edges.
	return new IntersectionObserver(look, { rootMargin: '100% 0px', scrollMargin: '100% 0px' });
}
