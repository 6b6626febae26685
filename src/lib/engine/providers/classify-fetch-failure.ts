// Why a fetch failed without an answer. Browsers give one TypeError for every reason, so the reason is asked for afterwards.
// Runs in the engine worker. SPEC.md PRV-20, PRV-21.
import type { ModelFailureCode } from '#lib/core/context/model.ts';
import type { ProviderDeps } from './provider-deps.ts';

export type FetchFailureCode = Extract<ModelFailureCode, 'model-offline' | 'model-mixed-content' | 'model-cors' | 'model-unreachable'>;

const probeTimeoutMs = 3000;

/**
 * Tells what stood in the way of `url`. Never throws. Sends at most one request, without cookies, key or body, to the
 * server's origin: an opaque answer means that somebody is there and that only CORS hides the words (a server that lets no
 * page read it, or that refused the preflight). A refused Local Network Access prompt, and Safari's ban on
 * `http://localhost` from https pages, cannot be told apart from nobody being there.
 */
export async function classifyFetchFailure(deps: ProviderDeps, url: string): Promise<FetchFailureCode> {
	if (!URL.canParse(url)) return 'model-unreachable';
	const { protocol, hostname, origin } = new URL(url);
	const isLocal = isLoopbackHost(hostname);
	if (!isLocal && !deps.isOnline()) return 'model-offline';
	if (!isLocal && protocol === 'http:' && deps.pageProtocol() === 'https:') return 'model-mixed-content';
	return (await answersOpaquely(deps, origin, probeTimeoutMs)) ? 'model-cors' : 'model-unreachable';
}

/** Hosts that browsers treat as this very machine: secure enough for an https page, and there without a network. */
export function isLoopbackHost(hostname: string): boolean {
	return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** True when a request whose answer no script may read gets one within `timeoutMs`. */
export async function answersOpaquely(deps: Pick<ProviderDeps, 'fetch'>, url: string, timeoutMs: number): Promise<boolean> {
	try {
		await deps.fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) });
		return true;
	} catch {
		return false;
	}
}
