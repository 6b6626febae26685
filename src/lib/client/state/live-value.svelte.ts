// A live read as a value: asked again whenever what it read changes, only while something on screen looks at it.
import { createSubscriber } from 'svelte/reactivity';
import type { StorageFailure } from '#lib/storage/open-database.ts';
import type { BoughDatabase } from '#lib/storage/database.ts';
import type { Session } from '../session.ts';

type Query<T> = (database: BoughDatabase) => Promise<T>;

export class LiveValue<T> {
	readonly #session: Pick<Session, 'watch'>;
	#query: Query<T>;
	#value: T | undefined;
	#failure: StorageFailure | null = null;
	#stop: (() => void) | null = null;
	#update: (() => void) | null = null;
	readonly #subscribe: () => void;

	/** `early`: the same read, begun before; it is the value until the first live one is there. */
	constructor(session: Pick<Session, 'watch'>, query: Query<T>, early?: Promise<T>) {
		this.#session = session;
		this.#query = query;
		// One that failed is read again, and told, by the live read.
		void early?.then(
			(value) => {
				if (this.#value !== undefined) return;
				this.#value = value;
				this.#update?.();
			},
			() => undefined
		);
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
	ask(query: Query<T>): void {
		this.#query = query;
		if (this.#update) this.#start();
	}

	#start(): void {
		this.#stop?.();
		this.#stop = this.#session.watch(
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
