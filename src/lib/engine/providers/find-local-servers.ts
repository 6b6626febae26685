// Looks for model servers on this machine, only when asked to: browsers may ask the person for leave to look (Local Network
// Access). Runs in the engine worker. SPEC.md PRV-25 to PRV-27.
import { answersOpaquely } from './classify-fetch-failure.ts';
import type { ProviderDeps } from './provider-deps.ts';
import { readModelList } from './read-model-list.ts';

export interface LocalServer {
	readonly name: string;
	/** Ready for a connection, such as `http://localhost:11434/v1`. */
	readonly baseUrl: string;
	/** Ids in the server's order; empty when it has none, wants a key, or refuses browsers. */
	readonly models: readonly string[];
	/** `refuses-browsers`: somebody is there, but its CORS settings keep pages out. */
	readonly state: 'ready' | 'refuses-browsers';
}

export interface LocalServerCandidate {
	readonly name: string;
	/** Such as `http://localhost:11434`. */
	readonly origin: string;
	/**
	 * Whether this server lets pages in by default and its port is one that other programs like. Then a program that keeps
	 * pages out is somebody else, and is not reported.
	 */
	readonly isSharedPort: boolean;
}

export const localServerCandidates: readonly LocalServerCandidate[] = [
	{ name: 'Ollama', origin: 'http://localhost:11434', isSharedPort: false },
	{ name: 'LM Studio', origin: 'http://localhost:1234', isSharedPort: false },
	{ name: 'llama.cpp', origin: 'http://localhost:8080', isSharedPort: true },
	{ name: 'Jan', origin: 'http://localhost:1337', isSharedPort: false },
	{ name: 'vLLM', origin: 'http://localhost:8000', isSharedPort: true }
];

export interface FindLocalServersOptions {
	readonly candidates?: readonly LocalServerCandidate[];
	/** For each question to each candidate, milliseconds; 1,500 unless said otherwise. */
	readonly timeoutMs?: number;
}

/** Those that are there, in the order of the candidates, all asked at once. Never throws. Sends no key. */
export async function findLocalServers(
	deps: Pick<ProviderDeps, 'fetch'>,
	options: FindLocalServersOptions = {}
): Promise<readonly LocalServer[]> {
	const { candidates = localServerCandidates, timeoutMs = 1500 } = options;
	const found = await Promise.all(candidates.map((candidate) => lookAt(deps, candidate, timeoutMs)));
	return found.filter((server) => server !== null);
}

async function lookAt(deps: Pick<ProviderDeps, 'fetch'>, candidate: LocalServerCandidate, timeoutMs: number): Promise<LocalServer | null> {
	const baseUrl = `${candidate.origin}/v1`;
	const { name } = candidate;
	try {
		const response = await deps.fetch(`${baseUrl}/models`, {
			credentials: 'omit',
			cache: 'no-store',
			signal: AbortSignal.timeout(timeoutMs)
		});
		const wantsKey = response.status === 401;
		const models = response.ok ? readModelList(await response.json()) : wantsKey && !candidate.isSharedPort ? [] : null;
		return models === null ? null : { name, baseUrl, models: models.map((model) => model.id), state: 'ready' };
	} catch (error) {
		// An answer that is no JSON comes from another program.
		if (error instanceof SyntaxError || candidate.isSharedPort) return null;
		const isThere = await answersOpaquely(deps, candidate.origin, timeoutMs);
		return isThere ? { name, baseUrl, models: [], state: 'refuses-browsers' } : null;
	}
}
