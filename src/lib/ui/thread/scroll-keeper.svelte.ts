// Where a reader is in a conversation, kept while the conversation changes around them. Owns no data; works on the scroller's
// element. At the end it stays at the end; anywhere else what is being read stays where it is.

/** Nearer to the end than this counts as being there, in CSS pixels. */
const endTolerance = 80;
/** Nearer to an edge of what is read than this, more is asked for. */
const readAhead = 600;

interface Anchor {
	readonly find: () => Element | null | undefined;
	readonly top: number;
}

export class ScrollKeeper {
	#element: HTMLElement | null = null;
	#isAtEnd = $state(true);
	#anchor: Anchor | null = null;
	/** Where the view was when it was last looked at, to tell a reader's scrolling from content that grew. */
	#lastTop = 0;
	readonly #onNearStart: () => void;
	readonly #onNearEnd: () => void;

	constructor(options: { readonly onNearStart: () => void; readonly onNearEnd: () => void }) {
		this.#onNearStart = options.onNearStart;
		this.#onNearEnd = options.onNearEnd;
	}

	get isAtEnd(): boolean {
		return this.#isAtEnd;
	}

	/** For `{@attach}` on the scroller; its only child is the content. */
	readonly attach = (element: HTMLElement) => {
		this.#element = element;
		const onScroll = () => {
			// Only moving up leaves the end: content that grows under a reader at the end also makes a distance.
			const hasMovedUp = element.scrollTop < this.#lastTop - 1;
			this.#lastTop = element.scrollTop;
			if (this.#isAtEnd && !hasMovedUp) this.toEnd();
			else this.#isAtEnd = this.#distanceToEnd() < endTolerance;
			if (element.scrollTop < readAhead) this.#onNearStart();
			if (this.#distanceToEnd() < readAhead) this.#onNearEnd();
		};
		// Content grows while an answer comes, code is coloured, fonts load: the end follows, other places stay.
		const observer = new ResizeObserver(() => {
			if (this.#isAtEnd) this.toEnd();
		});
		observer.observe(element);
		if (element.firstElementChild) observer.observe(element.firstElementChild);
		element.addEventListener('scroll', onScroll, { passive: true });
		this.toEnd();
		return () => {
			observer.disconnect();
			element.removeEventListener('scroll', onScroll);
			this.#element = null;
		};
	};

	toEnd(): void {
		const element = this.#element;
		if (element) {
			if (this.#distanceToEnd() > 1) element.scrollTop = element.scrollHeight;
			this.#lastTop = element.scrollTop;
		}
		this.#isAtEnd = true;
	}

	/** Brings the row `key` to the top of the view and gives it the focus. */
	show(key: string): void {
		const found = this.#element?.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (!this.#element || !(found instanceof HTMLElement)) return;
		this.#anchor = null;
		this.#isAtEnd = false;
		found.scrollIntoView({ block: 'start' });
		found.focus({ preventScroll: true });
		this.#lastTop = this.#element.scrollTop;
		this.#isAtEnd = this.#distanceToEnd() < endTolerance;
	}

	/** Gives the row `key` the focus where it is. False when it is not there. */
	focus(key: string): boolean {
		const found = this.#element?.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (!(found instanceof HTMLElement)) return false;
		found.focus({ preventScroll: true });
		return true;
	}

	/** Call before the rows change: remembers what stands at the top of the view. A hold by `hold` goes before. */
	mark(): void {
		const element = this.#element;
		if (!element || this.#anchor || this.#isAtEnd) return;
		const edge = element.getBoundingClientRect().top;
		for (const article of element.querySelectorAll('[data-node]')) {
			const { top, bottom } = article.getBoundingClientRect();
			if (bottom <= edge) continue;
			const id = article.getAttribute('data-node');
			this.#anchor = { find: () => element.querySelector(`[data-node="${CSS.escape(id ?? '')}"]`), top };
			return;
		}
	}

	/** Call after the rows have changed: puts what was remembered where it was. */
	restore(): void {
		const anchor = this.#anchor;
		this.#anchor = null;
		const found = anchor?.find();
		if (!anchor || !this.#element) return;
		if (found) this.#element.scrollTop += found.getBoundingClientRect().top - anchor.top;
		this.#isAtEnd = this.#distanceToEnd() < endTolerance;
	}

	/** Keeps an element of the row `key` where it is through the next change, whatever its text becomes. */
	hold(key: string, selector: string): void {
		const find = () => this.#element?.querySelector(`[data-key="${CSS.escape(key)}"] ${selector}`);
		const found = find();
		if (!found) return;
		this.#anchor = { find, top: found.getBoundingClientRect().top };
		this.#isAtEnd = false;
	}

	#distanceToEnd(): number {
		const element = this.#element;
		return element ? element.scrollHeight - element.scrollTop - element.clientHeight : 0;
	}
}
