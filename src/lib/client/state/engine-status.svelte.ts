// How the engine and the database of this tab are, for the one place that tells the person.
import { createSubscriber } from 'svelte/reactivity';
import type { EngineState } from '#lib/core/protocol/events.ts';
import type { Session } from '../session.ts';

export class EngineStatus {
	readonly #session: Session;
	readonly #subscribe: () => void;
	/** A code of the message catalogue, of the database connection for reading. */
	#storageCode = $state.raw<{ readonly code: string; readonly detail?: string } | null>(null);

	constructor(session: Session) {
		this.#session = session;
		this.#subscribe = createSubscriber((update) => session.engine.listen((event) => event.type === 'engine.state' && update()));
		void session.opened.then((failure) => {
			// Opened after all: the older tab has let go.
			if (failure || this.#storageCode?.code === 'storage-blocked') this.#storageCode = failure;
		});
		session.onStorageTrouble((code) => {
			this.#storageCode = { code };
		});
	}

	get engine(): EngineState {
		this.#subscribe();
		return this.#session.engine.state;
	}

	/** What keeps Bough from working, null when nothing does. */
	get trouble(): { readonly code: string; readonly detail?: string } | null {
		const engine = this.engine;
		if (this.#storageCode) return this.#storageCode;
		return engine.kind === 'failed' ? engine : null;
	}

	/** Starts the engine once more. */
	retry(): void {
		this.#session.engine.start();
	}
}
