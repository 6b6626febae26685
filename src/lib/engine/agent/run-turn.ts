// One answer of a model, from the first byte to its end: gathers the text, tells it on, keeps checkpoints. Knows no storage
// and no provider; everything is handed in. ENGINE WORKER. SPEC.md RUN-01 to RUN-06.
import { ModelError, type ModelEvent, type ModelFailure, type StopReason } from '#lib/core/context/model.ts';
import type { Usage } from '#lib/core/domain/nodes.ts';

export interface AnswerSoFar {
	readonly text: string;
	readonly reasoning: string;
}

/** How it ended; `answer` is what had arrived by then. */
export type TurnOutcome = { readonly answer: AnswerSoFar } & (
	| { readonly kind: 'complete'; readonly stopReason: StopReason; readonly usage: Usage | null; readonly model: string | null }
	| { readonly kind: 'stopped' }
	| { readonly kind: 'failed'; readonly failure: RunFailure }
);

/** Why a run failed that is no fault of the model's: a storage code, `connection-not-found`, or a bug. */
export interface EngineFailure {
	readonly code: 'connection-not-found' | 'engine-failed' | `storage-${string}`;
	readonly detail?: string;
}

export type RunFailure = ModelFailure | EngineFailure;

export interface RunTurnDeps {
	readonly stream: AsyncIterable<ModelEvent>;
	readonly signal: AbortSignal;
	readonly monotonicMs: () => number;
	/** The server answered. Awaited: the state is durable before the first word is shown. */
	readonly onStart: () => Promise<void>;
	/** `at`: length of the text before this piece. */
	readonly onText: (at: number, text: string) => void;
	readonly onReasoning: (at: number, text: string) => void;
	/** Keeps what has arrived. Not called again before it resolves, and not more often than `checkpointEveryMs`. */
	readonly checkpoint: (answer: AnswerSoFar) => Promise<void>;
	readonly checkpointEveryMs: number;
}

/** Runs the stream to its end. Rejects only for what `onStart` or `checkpoint` throw; a failing model is an outcome. */
export async function runTurn(deps: RunTurnDeps): Promise<TurnOutcome> {
	let text = '';
	let reasoning = '';
	let checkpointedAtMs = -Infinity;
	let writing: Promise<void> | null = null;
	let writeError: { readonly error: unknown } | null = null;
	const answer = (): AnswerSoFar => ({ text, reasoning });
	const settle = async () => {
		await writing;
		if (writeError) throw writeError.error;
	};
	const keep = () => {
		const nowMs = deps.monotonicMs();
		if (writing || nowMs - checkpointedAtMs < deps.checkpointEveryMs) return;
		checkpointedAtMs = nowMs;
		writing = deps
			.checkpoint(answer())
			.catch((error: unknown) => {
				writeError = { error };
			})
			.finally(() => {
				writing = null;
			});
	};
	try {
		for await (const event of deps.stream) {
			if (writeError) break;
			switch (event.type) {
				case 'start':
					await deps.onStart();
					break;
				case 'text':
					deps.onText(text.length, event.text);
					text += event.text;
					keep();
					break;
				case 'reasoning':
					deps.onReasoning(reasoning.length, event.text);
					reasoning += event.text;
					keep();
					break;
				case 'end':
					await settle();
					return { kind: 'complete', answer: answer(), stopReason: event.stopReason, usage: event.usage, model: event.model };
			}
		}
	} catch (error) {
		await settle();
		if (!(error instanceof ModelError)) throw error;
		if (deps.signal.aborted) return { kind: 'stopped', answer: answer() };
		return { kind: 'failed', answer: answer(), failure: error.failure };
	}
	await settle();
	return { kind: 'failed', answer: answer(), failure: { code: 'model-stream-cut' } };
}
