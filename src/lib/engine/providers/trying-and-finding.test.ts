// Testing a connection, looking for local servers, choosing a provider: against a real server over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection, ModelProvider } from '#lib/core/context/model.ts';
import { defaultModels, startModelServer, type ModelServer } from '../../../../tests/fixtures/model-server/start-model-server.ts';
import { createProvider } from './create-provider.ts';
import { findLocalServers, localServerCandidates } from './find-local-servers.ts';
import { createProviderDeps } from './provider-deps.ts';
import { testConnection } from './test-connection.ts';

const never = new AbortController().signal;

let server: ModelServer;
beforeAll(async () => {
	server = await startModelServer();
});
afterAll(() => server.close());

function setupProvider(path: string, connection: Partial<Connection> = {}): ModelProvider {
	const whole: Connection = {
		id: 'c1',
		name: 'Test',
		kind: 'openai-compatible',
		baseUrl: server.url + path,
		defaultModel: '',
		modelIds: [],
		enabled: true,
		hasKey: false,
		firstByteTimeoutMs: 3000,
		silenceTimeoutMs: 3000,
		createdAt: 0,
		updatedAt: 0,
		...connection
	};
	return createProvider(createProviderDeps(), whole, () => Promise.resolve(null));
}

describe('testing a connection', () => {
	it('PRV-23 lists, hears one word, and breaks off', async () => {
		const result = await testConnection(setupProvider('/openai/v1'), 'story:pause=1', never);
		expect(structuredClone(result)).toEqual({
			ok: true,
			model: 'story:pause=1',
			models: defaultModels.map((id) => ({ id, displayName: null, contextWindow: null })),
			firstWordMs: expect.any(Number)
		});
		await expect.poll(() => server.requests.at(-1)?.state).toBe('client-gone');
	});

	it('PRV-23 without a model the first of the list is taken', async () => {
		const result = await testConnection(setupProvider('/ollama/v1'), '', never);
		expect(result).toMatchObject({ ok: true, model: defaultModels[0] });
	});

	it.each([
		['/nobody/v1', '', 'list-models', 'model-wrong-address'],
		['/nobody/v1', 'echo', 'first-word', 'model-wrong-address'],
		['/key-secret-key/openai/v1', 'echo', 'list-models', 'model-key-missing'],
		['/openai/v1', '404-model', 'first-word', 'model-not-found'],
		['/openai/v1', 'empty', 'first-word', 'model-empty-answer']
	])('PRV-24 %s with "%s" fails at %s', async (path, model, failedStep, code) => {
		expect(await testConnection(setupProvider(path), model, never)).toMatchObject({ ok: false, failedStep, failure: { code } });
	});

	it('PRV-24 no model at all, and a server without a list', async () => {
		const none = await startModelServer({ models: [] });
		const empty = await testConnection(setupProvider('', { baseUrl: `${none.url}/openai/v1` }), '', never);
		await none.close();
		expect(empty).toEqual({ ok: false, failedStep: 'choose-model', failure: { code: 'model-not-found' }, models: [] });
		const real = setupProvider('/openai/v1');
		const listless: ModelProvider = {
			...real,
			listModels: () => Promise.resolve({ ok: false, error: { code: 'model-wrong-address', status: 404 } })
		};
		expect(await testConnection(listless, 'echo', never)).toMatchObject({
			ok: true,
			models: [],
			listFailure: { code: 'model-wrong-address' }
		});
	});

	it('PRV-30 the kind decides the provider', async () => {
		const guide = setupProvider('', { kind: 'guide', baseUrl: '' });
		expect(await testConnection(guide, '', never)).toMatchObject({ ok: true, model: 'guide' });
		expect(await testConnection(setupProvider('/openai/v1'), 'echo', never)).toMatchObject({ ok: true, model: 'echo' });
	});
});

describe('finding local servers', () => {
	const deps = createProviderDeps();
	const candidate = (name: string, origin: string, isSharedPort = false) => ({ name, origin, isSharedPort });
	/** As a browser would: a request that needs CORS fails where the answer does not allow it. */
	const browserFetch: typeof deps.fetch = async (url, init) => {
		const response = await deps.fetch(url, init);
		if (init?.mode !== 'no-cors' && !response.headers.has('access-control-allow-origin')) throw new TypeError('Failed to fetch');
		return response;
	};

	it('PRV-25 those that are there, in order, and one that hangs holds up nobody', async () => {
		const gone = await startModelServer();
		await gone.close();
		let asked = 0;
		const hanging: typeof deps.fetch = (url, init) => {
			if (!url.startsWith('http://hangs')) return deps.fetch(url, init);
			asked += 1;
			return new Promise((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)));
		};
		const candidates = [
			candidate('Hangs', 'http://hangs.localhost'),
			candidate('Ollama', `${server.url}/ollama`),
			candidate('Gone', gone.url),
			candidate('vLLM', `${server.url}/vllm`, true)
		];
		const found = await findLocalServers({ fetch: hanging }, { candidates, timeoutMs: 300 });
		expect(asked).toBeGreaterThan(0);
		expect(found).toEqual([
			{ name: 'Ollama', baseUrl: `${server.url}/ollama/v1`, models: defaultModels, state: 'ready' },
			{ name: 'vLLM', baseUrl: `${server.url}/vllm/v1`, models: defaultModels, state: 'ready' }
		]);
	});

	it('PRV-26 one that keeps pages out is named, unless its port is anybody’s', async () => {
		const candidates = [
			candidate('Ollama', `${server.url}/no-cors/ollama`),
			candidate('llama.cpp', `${server.url}/no-cors/llamacpp`, true)
		];
		expect(await findLocalServers({ fetch: browserFetch }, { candidates })).toEqual([
			{ name: 'Ollama', baseUrl: `${server.url}/no-cors/ollama/v1`, models: [], state: 'refuses-browsers' }
		]);
		expect(localServerCandidates.map(({ origin }) => new URL(origin).port)).toEqual(['11434', '1234', '8080', '1337', '8000']);
	});

	it('PRV-27 no list, no model server; a wish for a key is one', async () => {
		const page: typeof deps.fetch = () => Promise.resolve(new Response('<html>', { headers: { 'content-type': 'text/html' } }));
		expect(await findLocalServers({ fetch: page }, { candidates: [candidate('Page', 'http://localhost:1')] })).toEqual([]);
		const candidates = [candidate('Other', `${server.url}/nobody`), candidate('Jan', `${server.url}/key-abc/openai`)];
		expect(await findLocalServers(deps, { candidates })).toEqual([
			{ name: 'Jan', baseUrl: `${server.url}/key-abc/openai/v1`, models: [], state: 'ready' }
		]);
	});
});

describe('the test server', () => {
	const post = (model: string): Promise<Response> =>
		fetch(`${server.url}/openai/v1/chat/completions`, { method: 'POST', body: JSON.stringify({ model, messages: [] }) });

	it('PRV-31 records, and forgets when told', async () => {
		await (await post('story:words=1')).text();
		expect(server.requests.at(-1)).toMatchObject({
			method: 'POST',
			path: '/openai/v1/chat/completions',
			body: { model: 'story:words=1' },
			state: 'answered'
		});
		const recorded = (await (await fetch(`${server.url}/control/requests`)).json()) as unknown[];
		expect(recorded.length).toBe(server.requests.length);
		await fetch(`${server.url}/control/clear`, { method: 'POST' });
		expect(server.requests).toEqual([]);
	});

	it('PRV-31 stands still and goes on', async () => {
		const response = await post('story:words=4,pause=2');
		const reader = (response.body as ReadableStream<Uint8Array>)
			.pipeThrough(new TextDecoderStream() as never)
			.getReader() as ReadableStreamDefaultReader<string>;
		let text = '';
		while (text.split('"content"').length < 4) text += (await reader.read()).value ?? '';
		await expect(Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 100, 'still'))])).resolves.toBe('still');
		server.release();
		await expect.poll(() => server.requests.at(-1)?.state).toBe('answered');
	});

	it('PRV-31 has a bad time as often as told', async () => {
		const statuses: number[] = [];
		for (let time = 0; time < 3; time += 1) {
			const response = await post('503:times=2,words=1');
			await response.text();
			statuses.push(response.status);
		}
		expect(statuses).toEqual([503, 503, 200]);
	});

	it('PRV-31 a preflight is allowed, strict, or refused', async () => {
		const preflight = async (prefix: string): Promise<unknown[]> => {
			const headers = { 'access-control-request-headers': 'content-type, x-title' };
			const response = await fetch(`${server.url}${prefix}/openai/v1/models`, { method: 'OPTIONS', headers });
			return [response.status, response.headers.get('access-control-allow-headers')];
		};
		expect([await preflight(''), await preflight('/strict-cors'), await preflight('/no-cors')]).toEqual([
			[204, 'content-type, x-title'],
			[204, 'authorization, content-type'],
			[403, null]
		]);
	});
});
