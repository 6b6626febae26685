// An answer while it comes, laid over the path until its node is there. Pieces may be missed or come twice (a tab that
// opened late, a leader that changed): each says where it belongs, and a gap asks for the whole.
import type { RunId, ThreadId } from '#lib/core/domain/ids.ts';
import type { EngineEvent } from '#lib/core/protocol/events.ts';

export class StreamingAnswer {
	readonly #threadId: ThreadId;
	readonly #askForAll: () => void;
	#runId = $state.raw<RunId | null>(null);
	#text = $state.raw('');
	#reasoning = $state.raw('');

	constructor(threadId: ThreadId, askForAll: () => void) {
		this.#threadId = threadId;
		this.#askForAll = askForAll;
	}

	/** Null when nothing streams. */
	get runId(): RunId | null {
		return this.#runId;
	}

	get text(): string {
		return this.#text;
	}

	get reasoning(): string {
		return this.#reasoning;
	}

	/** Takes an event of the engine; those of other threads are left alone. */
	receive(event: EngineEvent): void {
		switch (event.type) {
			case 'text.delta':
			case 'reasoning.delta': {
				if (event.threadId !== this.#threadId) return;
				if (event.runId !== this.#runId) this.#begin(event.runId);
				const has = event.type === 'text.delta' ? this.#text : this.#reasoning;
				if (event.at > has.length) return this.#askForAll();
				const now = has.slice(0, event.at) + event.text;
				if (now.length < has.length) return;
				if (event.type === 'text.delta') this.#text = now;
				else this.#reasoning = now;
				return;
			}
			case 'text.snapshot':
				if (event.threadId !== this.#threadId) return;
				this.#begin(event.runId);
				this.#text = event.text;
				this.#reasoning = event.reasoning;
				return;
			case 'run.ended':
			case 'import.progress':
			case 'engine.state':
				return;
		}
	}

	#begin(runId: RunId): void {
		this.#runId = runId;
		this.#text = '';
		this.#reasoning = '';
	}
}
