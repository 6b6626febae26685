// What the ways to a model need of the world around them: a fetch, the device's idea of being online, the page's protocol.
// Everything takes it as an argument, so that tests decide what the world is like. Runs in the engine worker.

export interface ProviderDeps {
	readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
	/** False only when the device says that it has no network; a hint, not a proof. */
	readonly isOnline: () => boolean;
	/** `https:` or `http:`; a worker has the protocol of its script. */
	readonly pageProtocol: () => string;
	readonly nowMs: () => number;
}

/** The real world, in a page, a worker or Node. */
export function createProviderDeps(): ProviderDeps {
	return {
		fetch: (input, init) => globalThis.fetch(input, init),
		isOnline: () => globalThis.navigator?.onLine !== false,
		pageProtocol: () => globalThis.location?.protocol ?? 'http:',
		nowMs: () => Date.now()
	};
}
