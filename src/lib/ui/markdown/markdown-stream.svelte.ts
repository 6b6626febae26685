// The groups of one message as state: takes the growing text, lexes it at most once a frame, and much text at once in slices.
// Runs in a tab. Keeps MD-09, MD-50, MD-52 and MD-54.
import { estimateLines, groupBlocks, type BlockGroup } from './block-groups.ts';
import { detectLanguage } from './detect-language.ts';
import { requestSlice, sliceMs } from './slices.ts';
import { isContinuation, TailLexer } from './tail-lexer.ts';

/** After so many characters the language no longer changes, so that a long answer never jumps. */
const languageKnownAfter = 300;
/** More new characters than this are lexed and drawn in slices. */
export const longestAtOnce = 10_000;
/** Groups that a long text may change where they stand: what is open at the end, and a few references. */
const mostChangedGroups = 4;
/** So much more is lexed at a time within a slice. */
const lexStep = 8_000;

export interface MarkdownText {
	readonly text: string;
	/** False when the text is complete. */
	readonly streaming: boolean;
}

/** Calls `update` before the next paint, in the manner of `requestAnimationFrame`. */
export type Schedule = (update: () => void) => void;

export class MarkdownStream {
	readonly #schedule: Schedule;
	readonly #isAtOnce: boolean;
	readonly #lexer = new TailLexer();
	#taken: MarkdownText;
	#waiting: MarkdownText | undefined;
	/** The part of the taken text that the lexer knows. */
	#lexed = '';
	#cancelSlice: (() => void) | undefined;
	#groups = $state.raw<readonly BlockGroup[]>([]);
	#edition = $state.raw(0);
	#language = $state.raw<string>();
	#reservedLines = $state.raw<number>();

	/** The first text is shown at once, unless it is long. */
	constructor(first: MarkdownText, options: { readonly schedule: Schedule; readonly isAtOnce: boolean }) {
		this.#schedule = options.schedule;
		this.#isAtOnce = options.isAtOnce;
		this.#taken = first;
		this.#take(first);
	}

	get groups(): readonly BlockGroup[] {
		return this.#groups;
	}

	/** Another number means that the groups have nothing in common with those before. */
	get edition(): number {
		return this.#edition;
	}

	get language(): string | undefined {
		return this.#language;
	}

	/** Height to keep free while the first groups are being made, in lines. */
	get reservedLines(): number | undefined {
		return this.#reservedLines;
	}

	/** Of several texts within a frame the last counts. */
	push(next: MarkdownText): void {
		const isScheduled = this.#waiting !== undefined;
		if (!isScheduled && next.text === this.#taken.text && next.streaming === this.#taken.streaming) return;
		this.#waiting = next;
		if (isScheduled) return;
		this.#schedule(() => {
			const last = this.#waiting;
			this.#waiting = undefined;
			if (last) this.#take(last);
		});
	}

	/** Lexes at once what is left to lex. */
	finish(): void {
		if (this.#cancelSlice) this.#lexWhole({ isLong: true });
	}

	destroy(): void {
		this.#waiting = undefined;
		this.#cancelSlice?.();
		this.#cancelSlice = undefined;
	}

	#take(next: MarkdownText): void {
		const isContinued = isContinuation(next.text, this.#taken.text);
		if (!isContinued || this.#taken.text.length < languageKnownAfter || next === this.#taken) this.#language = detectLanguage(next.text);
		this.#taken = next;
		if (!isContinued) this.#lexed = '';
		if (this.#cancelSlice && next.text.length > longestAtOnce) return;
		const isLong = !this.#isAtOnce && next.text.length - this.#lexed.length > longestAtOnce;
		if (isLong) this.#lexSlice();
		else this.#lexWhole({ isLong: false });
	}

	/** A prefix of the text is lexed as if it were coming in; nothing of it is shown before the whole is lexed. */
	#lexSlice(): void {
		const { text } = this.#taken;
		const endsAt = performance.now() + sliceMs;
		let step = lexStep;
		let openFrom = -1;
		while (this.#lexed.length + step < text.length) {
			if (performance.now() >= endsAt) {
				this.#cancelSlice = requestSlice(() => this.#lexSlice(), 'user-visible');
				if (this.#groups.length === 0) this.#reservedLines ??= estimateLines(text);
				return;
			}
			this.#lexed = text.slice(0, this.#lexed.length + step);
			const blocks = this.#lexer.update(this.#lexed, { settled: false });
			// One huge block is lexed anew each time: by doubling, no more than twice its length in all.
			step = blocks.length === openFrom ? step * 2 : lexStep;
			openFrom = blocks.length;
		}
		this.#lexWhole({ isLong: true });
	}

	#lexWhole({ isLong }: { readonly isLong: boolean }): void {
		this.#cancelSlice?.();
		this.#cancelSlice = undefined;
		this.#reservedLines = undefined;
		const { text, streaming } = this.#taken;
		const blocks = this.#lexer.update(text, { settled: !streaming });
		const before = this.#groups;
		const groups = groupBlocks(blocks, before, { waits: isLong });
		// The elements of another text are not made to fit, one by one, when there are many.
		const changed = before.filter((group, index) => group !== groups[index]).length;
		if (isLong && changed > mostChangedGroups) {
			this.#edition++;
			this.#groups = groupBlocks(blocks, [], { waits: true });
		} else this.#groups = groups;
		this.#lexed = text;
	}
}
