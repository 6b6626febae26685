import { describe, expect, it } from 'vitest';
import { classifyFetchFailure, isLoopbackHost } from './classify-fetch-failure.ts';
import type { ProviderDeps } from './provider-deps.ts';

interface World {
	readonly isOnline?: boolean;
	readonly pageProtocol?: string;
	/** Whether the probe is answered. */
	readonly answers?: boolean;
}

function setupWorld({ isOnline = true, pageProtocol = 'http:', answers = false }: World): { deps: ProviderDeps; probes: unknown[] } {
	const probes: unknown[] = [];
	const deps: ProviderDeps = {
		isOnline: () => isOnline,
		pageProtocol: () => pageProtocol,
		nowMs: () => 0,
		fetch: (url, init) => {
			const { mode, credentials, headers, body } = init ?? {};
			probes.push({ url, mode, credentials, headers, body });
			return answers ? Promise.resolve(Response.error()) : Promise.reject(new TypeError('Failed to fetch'));
		}
	};
	return { deps, probes };
}

describe('why a fetch failed', () => {
	it('PRV-20 offline is told without a probe', async () => {
		const { deps, probes } = setupWorld({ isOnline: false, answers: true });
		expect(await classifyFetchFailure(deps, 'https://api.example/v1')).toBe('model-offline');
		expect(probes).toEqual([]);
	});

	it('PRV-20 mixed content is told without a probe', async () => {
		const { deps, probes } = setupWorld({ pageProtocol: 'https:', answers: true });
		expect(await classifyFetchFailure(deps, 'http://192.168.1.5:11434/v1')).toBe('model-mixed-content');
		expect(await classifyFetchFailure(deps, 'http://127.evil.example/v1')).toBe('model-mixed-content');
		expect(probes).toEqual([]);
	});

	it('PRV-20 this machine needs neither network nor https', async () => {
		const { deps } = setupWorld({ isOnline: false, pageProtocol: 'https:', answers: true });
		const urls = ['http://localhost:11434/v1', 'http://127.0.0.1:1234/v1', 'http://[::1]:8080/v1', 'http://ollama.localhost/v1'];
		expect(await Promise.all(urls.map((url) => classifyFetchFailure(deps, url)))).toEqual(urls.map(() => 'model-cors'));
		expect([isLoopbackHost('localhost.example'), isLoopbackHost('10.0.0.1')]).toEqual([false, false]);
	});

	it('PRV-21 an opaque answer means CORS, none means nobody is there', async () => {
		const there = setupWorld({ answers: true });
		expect(await classifyFetchFailure(there.deps, 'https://user:pass@api.example:8443/v1?key=1')).toBe('model-cors');
		expect(there.probes).toEqual([{ url: 'https://api.example:8443', mode: 'no-cors', credentials: 'omit' }]);
		expect(await classifyFetchFailure(setupWorld({}).deps, 'https://api.example/v1')).toBe('model-unreachable');
		expect(await classifyFetchFailure(setupWorld({ answers: true }).deps, 'no address')).toBe('model-unreachable');
	});
});
