// Whether the device says that it has a network: a hint only, for the chip that tells the person.
import { createSubscriber } from 'svelte/reactivity';

export class Network {
	readonly #subscribe = createSubscriber((update) => {
		addEventListener('online', update);
		addEventListener('offline', update);
		return () => {
			removeEventListener('online', update);
			removeEventListener('offline', update);
		};
	});

	get isOnline(): boolean {
		this.#subscribe();
		return navigator.onLine;
	}
}
