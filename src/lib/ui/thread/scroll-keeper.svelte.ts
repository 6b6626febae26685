// Where a reader is in a conversation, kept while the conversation changes around them. Owns no data; works on the scroller's
// element. At the end it stays at the end; anywhere else what is being read stays where it is.

/** Nearer to the end than this counts as being there, in CSS pixels. */
const endTolerance = 80;
/** Nearer to an edge of what is read than this, more is asked for. */
const readAhead = 600;

interface Anchor {
	/** Of the row that it stands in. */
	readonly key: string;
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
			this.readOn();
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

	/** Whether the rows leave a part of the view empty; `hasEnd`: the last of them is among those that are drawn. */
	isShort(hasEnd: boolean): boolean {
		const element = this.#element;
		const last = [...(element?.querySelectorAll('[data-node]') ?? [])].at(-1);
		if (!element || !last) return false;
		if (hasEnd) return element.scrollHeight <= element.clientHeight;
		return last.getBoundingClientRect().bottom < element.getBoundingClientRect().bottom;
	}

	/** Gives the row `key` the focus where it is. False when it is not there. */
	focus(key: string): boolean {
		const found = this.#element?.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (!(found instanceof HTMLElement)) return false;
		found.focus({ preventScroll: true });
		return true;
	}

	/**
	 * Call before the rows change: remembers what stands at the top of the view. A hold by `hold` goes before. Answers the key of
	 * the row that it is in; null at the end.
	 */
	mark(): string | null {
		const element = this.#element;
		if (!element || this.#anchor || this.#isAtEnd) return this.#anchor?.key ?? null;
		const edge = element.getBoundingClientRect().top;
		for (const article of element.querySelectorAll<HTMLElement>('[data-node]')) {
			const { top, bottom } = article.getBoundingClientRect();
			if (bottom <= edge) continue;
			const { node = '', key = '' } = article.dataset;
			this.#anchor = { key, find: () => element.querySelector(`[data-node="${CSS.escape(node)}"]`), top };
			return key;
		}
		return null;
	}

	/** Asks for more where the view is near an edge of what is read. */
	readOn(): void {
		if (!this.#element) return;
		if (this.#element.scrollTop < readAhead) this.#onNearStart();
		if (this.#distanceToEnd() < readAhead) this.#onNearEnd();
	}

	/** Call after the rows have changed: puts what was remembered where it was. */
	restore(): void {
		const anchor = this.#anchor;
		this.#anchor = null;
		const found = anchor?.find();
		// At once: fewer rows move the view up, which must not look as if the reader had.
		if (!anchor && this.#isAtEnd) this.toEnd();
		if (!anchor || !this.#element) return;
		if (found) this.#element.scrollTop += found.getBoundingClientRect().top - anchor.top;
		this.#isAtEnd = this.#distanceToEnd() < endTolerance;
	}

	/** Keeps an element of the row `key` where it is through the next change, whatever its text becomes. */
	hold(key: string, selector: string): void {
		const find = () => this.#element?.querySelector(`[data-key="${CSS.escape(key)}"] ${selector}`);
		const found = find();
		if (!found) return;
		this.#anchor = { key, find, top: found.getBoundingClientRect().top };
		this.#isAtEnd = false;
	}

	#distanceToEnd(): number {
		const element = this.#element;
		return element ? element.scrollHeight - element.scrollTop - element.clientHeight : 0;
	}
}
