// Draws a window of messages a few at a time, from where the reader is outwards, so that neither an opened conversation nor a
// chosen branch makes one wait for what is out of view. SPEC.md of the client VIEW-32.
import { flushSync, untrack } from 'svelte';
import type { ThreadRow } from '#lib/client/thread-rows.ts';
import { rowId } from './row-words.ts';

/** New rows drawn with the change that brings them; more follow at once while they do not fill the view. */
const firstRows = 3;
/** New rows drawn in each frame after that. */
const rowsAFrame = 6;

interface Options {
	readonly rows: () => readonly ThreadRow[];
	/** The key of the row that must be drawn first; null: the last one. Asked before anything changes on screen. */
	readonly firstKey: () => string | null;
	/** Whether what is drawn leaves a part of the view empty. Asked when it was drawn. `hasEnd`: the last row is among it. */
	readonly isShort: (hasEnd: boolean) => boolean;
}

/** A row that shows another message costs as much as a new one. */
const identity = (row: ThreadRow) => `${row.key} ${rowId(row)}`;

/**
 * The longest stretch of `rows` around `first` that needs no more than `budget` rows that are not in `drawn`; downwards first,
 * as one reads. `first`: an index in `rows`. Answers its bounds, the second one exclusive.
 */
export function stretchAround(
	rows: readonly ThreadRow[],
	first: number,
	drawn: ReadonlySet<string>,
	budget: number
): readonly [number, number] {
	let [from, to, left] = [first, first, budget];
	const take = (at: number): boolean => {
		const row = rows[at];
		if (!row) return false;
		const isNew = !drawn.has(identity(row));
		if (isNew && left === 0) return false;
		if (isNew) left--;
		return true;
	};
	const isDrawn = (at: number) => rows[at] !== undefined && drawn.has(identity(rows[at]));
	// What stands there already costs nothing, and is not taken away.
	while (isDrawn(from - 1)) from--;
	while (take(to)) to++;
	while (take(from - 1)) from--;
	return [from, to];
}

export class GradualRows {
	readonly #options: Options;
	/** What stands in the page, by `identity`. */
	// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn anew because something was drawn
	#drawn: ReadonlySet<string> = new Set();
	/** Where drawing goes out from until everything is there. */
	#startKey: string | null = null;
	/** Whether the last stretch was all of the rows. */
	#isWhole = true;
	#budget = firstRows;
	#frames = $state(0);
	readonly #shown = $derived.by(() => {
		void this.#frames;
		const rows = this.#options.rows();
		return untrack(() => this.#stretch(rows));
	});

	/** Call where effects can be made. */
	constructor(options: Options) {
		this.#options = options;
		$effect(() => {
			const { shown } = this;
			// eslint-disable-next-line svelte/prefer-svelte-reactivity -- as above
			this.#drawn = new Set(shown.map(identity));
			if (this.isWhole) return;
			if (this.#options.isShort(this.hasEnd)) return void untrack(() => this.#frames++);
			// After the frame that shows these.
			let timer: ReturnType<typeof setTimeout> | undefined;
			const frame = requestAnimationFrame(() => (timer = setTimeout(() => this.#draw(rowsAFrame))));
			return () => {
				cancelAnimationFrame(frame);
				clearTimeout(timer);
			};
		});
	}

	/** The rows to draw now: a stretch of all of them. */
	get shown(): readonly ThreadRow[] {
		return this.#shown;
	}

	get hasStart(): boolean {
		return this.#shown[0] === this.#options.rows()[0];
	}

	get hasEnd(): boolean {
		return this.#shown.at(-1) === this.#options.rows().at(-1);
	}

	get isWhole(): boolean {
		return this.hasStart && this.hasEnd;
	}

	/** Draws all that is left at once, for paper. */
	finish(): void {
		this.#draw(Infinity);
		flushSync();
	}

	#draw(newRows: number): void {
		this.#budget = newRows;
		this.#frames++;
	}

	#stretch(rows: readonly ThreadRow[]): readonly ThreadRow[] {
		const budget = this.#budget;
		this.#budget = firstRows;
		if (this.#isWhole && rows.filter((row) => !this.#drawn.has(identity(row))).length <= budget) return rows;
		if (this.#isWhole) this.#startKey = this.#options.firstKey();
		const at = this.#startKey === null ? -1 : rows.findIndex((row) => row.key === this.#startKey);
		const [from, to] = stretchAround(rows, at < 0 ? Math.max(0, rows.length - 1) : at, this.#drawn, budget);
		this.#isWhole = from === 0 && to === rows.length;
		return rows.slice(from, to);
	}
}
