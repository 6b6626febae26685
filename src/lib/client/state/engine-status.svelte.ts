// How the engine and the database of this tab are, for the one place that tells the person.
import { createSubscriber } from 'svelte/reactivity';
import type { EngineState } from '#lib/core/protocol/events.ts';
import type { StorageTrouble } from '../reading-connection.ts';
import type { Session } from '../session.ts';

export class EngineStatus {
	readonly #session: Session;
	readonly #subscribe: () => void;
	#storageTrouble = $state.raw<StorageTrouble>(null);

	constructor(session: Session) {
		this.#session = session;
		this.#subscribe = createSubscriber((update) => session.engine.listen((event) => event.type === 'engine.state' && update()));
		session.onStorageTrouble((trouble) => {
			this.#storageTrouble = trouble;
		});
	}

	get engine(): EngineState {
		this.#subscribe();
		return this.#session.engine.state;
	}

	/** What keeps Bough from working, null when nothing does. */
	get trouble(): { readonly code: string; readonly detail?: string } | null {
		const engine = this.engine;
		if (this.#storageTrouble) return this.#storageTrouble;
		return engine.kind === 'failed' ? engine : null;
	}

	/** Starts the engine once more. */
	retry(): void {
		this.#session.engine.start();
	}
}
