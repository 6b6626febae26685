// A live read as a value: asked again whenever what it read changes, only while something on screen looks at it.
import { createSubscriber } from 'svelte/reactivity';
import type { StorageFailure } from '#lib/storage/open-database.ts';
import { watch } from '#lib/storage/queries/watch.ts';

export class LiveValue<T> {
	#query: () => Promise<T>;
	#value: T | undefined;
	#failure: StorageFailure | null = null;
	#stop: (() => void) | null = null;
	#update: (() => void) | null = null;
	readonly #subscribe: () => void;

	constructor(query: () => Promise<T>) {
		this.#query = query;
		this.#subscribe = createSubscriber((update) => {
			this.#update = update;
			this.#start();
			return () => {
				this.#stop?.();
				this.#stop = null;
				this.#update = null;
			};
		});
	}

	/** The newest result; undefined until the first one is there. */
	get current(): T | undefined {
		this.#subscribe();
		return this.#value;
	}

	/** Why the last read failed; null when it did not. A failed read keeps the last value. */
	get failure(): StorageFailure | null {
		this.#subscribe();
		return this.#failure;
	}

	/** Asks something else from now on; the old value stays until the new one is there. */
	ask(query: () => Promise<T>): void {
		this.#query = query;
		if (this.#update) this.#start();
	}

	#start(): void {
		this.#stop?.();
		this.#stop = watch(
			this.#query,
			(value) => {
				this.#value = value;
				this.#failure = null;
				this.#update?.();
			},
			(failure) => {
				this.#failure = failure;
				this.#update?.();
			}
		);
	}
}
