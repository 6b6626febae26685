// Gathers small pieces of an answer and tells them on together, at most once in a while; knows the whole so far. ENGINE WORKER. SPEC.md RUN-07.
import type { AnswerSoFar } from './run-turn.ts';

export interface DeltaBuffer {
	addText(text: string): void;
	addReasoning(text: string): void;
	/** Tells on what is waiting, in order: reasoning before text. */
	flush(): void;
	soFar(): AnswerSoFar;
}

/** `schedule`: calls `flush` once, a moment later. `at` counts UTF-16 units of the text told on before. */
export function createDeltaBuffer(deps: {
	readonly emitText: (at: number, text: string) => void;
	readonly emitReasoning: (at: number, text: string) => void;
	readonly schedule: (flush: () => void) => void;
}): DeltaBuffer {
	let text = '';
	let reasoning = '';
	let toldText = 0;
	let toldReasoning = 0;
	let isScheduled = false;
	const flush = () => {
		isScheduled = false;
		if (reasoning.length > toldReasoning) {
			deps.emitReasoning(toldReasoning, reasoning.slice(toldReasoning));
			toldReasoning = reasoning.length;
		}
		if (text.length > toldText) {
			deps.emitText(toldText, text.slice(toldText));
			toldText = text.length;
		}
	};
	const later = () => {
		if (isScheduled) return;
		isScheduled = true;
		deps.schedule(flush);
	};
	return {
		addText(piece) {
			text += piece;
			later();
		},
		addReasoning(piece) {
			reasoning += piece;
			later();
		},
		flush,
		soFar: () => ({ text, reasoning })
	};
}
