// Remembers the newest of what was found, and lets go of the oldest.

export class Recent<V> {
	readonly #values = new Map<string, V>();
	readonly #most: number;

	constructor(most: number) {
		this.#most = most;
	}

	get(key: string): V | undefined {
		return this.#values.get(key);
	}

	set(key: string, value: V): void {
		this.#values.delete(key);
		this.#values.set(key, value);
		const [oldest] = this.#values.keys();
		if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
	}
}
