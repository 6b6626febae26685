// The blocks of one message as state: takes the growing text, lexes it at most once a frame. Runs in a tab. Keeps MD-09.
import { detectLanguage } from './detect-language.ts';
import { TailLexer, type MarkdownBlock } from './tail-lexer.ts';

/** After so many characters the language no longer changes, so that a long answer never jumps. */
const languageKnownAfter = 300;

export interface MarkdownText {
	readonly text: string;
	/** False when the text is complete. */
	readonly streaming: boolean;
}

/** Calls `update` before the next paint, in the manner of `requestAnimationFrame`. */
export type Schedule = (update: () => void) => void;

export class MarkdownStream {
	readonly #lexer = new TailLexer();
	readonly #schedule: Schedule;
	#taken: MarkdownText;
	#waiting: MarkdownText | undefined;
	#blocks = $state.raw<readonly MarkdownBlock[]>([]);
	#language = $state.raw<string>();

	/** The first text is shown at once. */
	constructor(first: MarkdownText, schedule: Schedule) {
		this.#schedule = schedule;
		this.#taken = first;
		this.#take(first);
	}

	get blocks(): readonly MarkdownBlock[] {
		return this.#blocks;
	}

	get language(): string | undefined {
		return this.#language;
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

	destroy(): void {
		this.#waiting = undefined;
	}

	#take(next: MarkdownText): void {
		const isContinued = next.text.startsWith(this.#taken.text);
		if (!isContinued || this.#taken.text.length < languageKnownAfter || next === this.#taken) this.#language = detectLanguage(next.text);
		this.#taken = next;
		this.#blocks = this.#lexer.update(next.text, { settled: !next.streaming });
	}
}
