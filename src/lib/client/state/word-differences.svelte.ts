// The differences of one pair of texts as a value: looked for while something on screen looks at it. SPEC.md VIEW-53.
import { createSubscriber } from 'svelte/reactivity';
import type { DifferenceFinder, DifferencesResult } from '../word-differences/difference-finder.ts';

export class WordDifferences {
	#result: DifferencesResult | undefined;
	readonly #subscribe: () => void;

	constructor(finder: Pick<DifferenceFinder, 'find'>, a: string, b: string) {
		this.#subscribe = createSubscriber((update) => {
			if (this.#result) return;
			return finder.find(a, b, (result) => {
				this.#result = result;
				update();
			});
		});
	}

	/** Undefined until they were found. */
	get current(): DifferencesResult | undefined {
		this.#subscribe();
		return this.#result;
	}
}
