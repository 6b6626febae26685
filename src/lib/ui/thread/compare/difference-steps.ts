// Goes from one marked difference to the next, in the order of reading: pair by pair, and in a pair by the number of the
// difference, whichever side it is seen on. SPEC.md COMP-05.

export class DifferenceSteps {
	#at: string | null = null;

	/** Gives the next or the previous difference in `root` the focus. False when there is none on that way. */
	go(root: HTMLElement, by: 1 | -1): boolean {
		const marks = this.#marksIn(root);
		const keys = [...marks.keys()];
		const focused = document.activeElement instanceof HTMLElement ? keyOf(document.activeElement) : null;
		const from = keys.indexOf(focused ?? this.#at ?? '');
		const key = keys[from < 0 ? (by === 1 ? 0 : keys.length - 1) : from + by];
		const mark = key === undefined ? undefined : marks.get(key);
		if (key === undefined || !mark) return false;
		this.#at = key;
		mark.focus({ preventScroll: true });
		mark.scrollIntoView({ block: 'center', inline: 'nearest' });
		return true;
	}

	#marksIn(root: HTMLElement): Map<string, HTMLElement> {
		const marks = new Map<string, HTMLElement>();
		for (const pair of root.querySelectorAll('.pair')) {
			const inView = [...pair.querySelectorAll('.cell')].filter((cell) => getComputedStyle(cell).display !== 'none');
			const inPair = inView.flatMap((cell) => [...cell.querySelectorAll<HTMLElement>('[data-change]')]);
			inPair.sort((a, b) => Number(a.dataset['change']) - Number(b.dataset['change']));
			for (const mark of inPair) {
				const key = keyOf(mark);
				if (key !== null && !marks.has(key)) marks.set(key, mark);
			}
		}
		return marks;
	}
}

function keyOf(mark: HTMLElement): string | null {
	const change = mark.dataset['change'];
	const pair = mark.closest<HTMLElement>('.pair')?.dataset['pair'];
	return change === undefined || pair === undefined ? null : `${pair} ${change}`;
}
