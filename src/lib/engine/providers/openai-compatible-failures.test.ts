// The adapter against a real server over real HTTP: what goes wrong, and lists of models.
import { describe, expect, it } from 'vitest';
import type { ModelFailure } from '#lib/core/context/model.ts';
import { createStory } from '../../../../tests/fixtures/model-server/seeded-text.ts';
import { startModelServer } from '../../../../tests/fixtures/model-server/start-model-server.ts';
import { ask, bodyOf, canary, hear, never, setupServer } from './openai-compatible.setup.ts';

const { server, setupProvider, lastAsked } = setupServer();

describe('streams that go wrong', () => {
	it.each([
		['openai', 'cut:after=7'],
		['ollama', 'cut:after=7'],
		['llamacpp', 'cut-clean:after=7'],
		['deepseek', 'cut-mid-event:after=7']
	])('PRV-11 %s with %s is cut', async (vendor, model) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1` }), ask(model));
		expect(heard.failure).toEqual({ code: 'model-stream-cut' });
		expect(heard.text).toBe(createStory(80, 1, 'en').slice(0, 7).join(''));
		expect(heard.end).toBeNull();
	});

	it('PRV-13 half an event, and a web page', async () => {
		const broken = await hear(setupProvider(), ask('malformed:after=4'));
		expect(broken.failure).toEqual({ code: 'model-stream-malformed' });
		expect(broken.text).not.toBe('');
		const page = await hear(setupProvider(), ask('html'));
		expect(page.failure).toEqual({ code: 'model-stream-malformed', status: 200, detail: 'Sign in Please sign in.' });
		expect(page.events).toEqual([]);
	});

	it.each(['openai', 'openrouter', 'ollama', 'llamacpp', 'lmstudio', 'vllm'])('PRV-14 an error inside the stream of %s', async (vendor) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1` }), ask('error-in-stream:after=5'));
		expect(heard.failure).toEqual({ code: 'model-stream-error', detail: 'The model crashed in the middle of its answer.' });
		expect(heard.text).toBe(createStory(80, 1, 'en').slice(0, 5).join(''));
	});

	it('PRV-14 an error in place of a stream, and one that says too long', async () => {
		const loading = await hear(setupProvider(), ask('json-error'));
		expect(loading.failure).toEqual({ code: 'model-stream-error', status: 200, detail: 'The model is loading' });
		const long = await hear(setupProvider({ path: '/lmstudio/v1' }), ask('context-too-long'));
		expect(long.failure?.code).toBe('model-context-too-long');
	});
});

describe('refusals', () => {
	it.each([
		['openai', '401', 'model-key-refused', 401],
		['llamacpp', '401', 'model-key-refused', 401],
		['openai', '403', 'model-key-refused', 403],
		['openai', '404-model', 'model-not-found', 404],
		['ollama', '404-model', 'model-not-found', 404],
		['vllm', '404-model', 'model-not-found', 404],
		['openai', '429', 'model-rate-limited', 429],
		['openai', 'quota', 'model-quota-used-up', 429],
		['deepseek', 'quota', 'model-quota-used-up', 402],
		['openai', '400', 'model-request-refused', 400],
		['openai', 'context-too-long', 'model-context-too-long', 400],
		['llamacpp', 'context-too-long', 'model-context-too-long', 400],
		['openai', '500', 'model-server-error', 500],
		['openrouter', '503', 'model-server-error', 503]
	] as const)('PRV-15 %s saying %s is %s', async (vendor, behaviour, code, status) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1`, key: canary }), ask(behaviour));
		expect(heard.failure).toMatchObject({ code, status });
		expect(heard.events).toEqual([]);
	});

	it('PRV-15 a wrong address, and a key that is wanted', async () => {
		expect((await hear(setupProvider({ path: '/openai/wrong' }), ask('echo'))).failure).toMatchObject({
			code: 'model-wrong-address',
			status: 404
		});
		const unlocked = await hear(setupProvider({ path: `/key-${canary}/openai/v1` }), ask('echo'));
		expect(unlocked.failure).toMatchObject({ code: 'model-key-missing', status: 401 });
		expect((await hear(setupProvider({ connection: { baseUrl: 'no address' } }), ask('echo'))).failure?.code).toBe('model-wrong-address');
	});

	it('PRV-16 the wish to wait, in every form', async () => {
		const wish = async (model: string, nowMs?: number): Promise<number | undefined> =>
			(await hear(setupProvider(nowMs === undefined ? {} : { deps: { nowMs: () => nowMs } }), ask(model))).failure?.retryAfterMs;
		expect(await wish('429:retry=7')).toBe(7000);
		expect(await wish('429-ms:retry=3')).toBe(3000);
		expect(await wish('503:retry=4')).toBe(4000);
		expect(await wish('429-date:retry=60', Date.now() + 3_600_000)).toBe(0);
		expect(await wish('429-date:retry=60', 0)).toBeGreaterThan(1_700_000_000_000);
		expect(await wish('400')).toBeUndefined();
	});

	it('PRV-17 the key is in no failure', async () => {
		const failures: (ModelFailure | null)[] = [];
		for (const model of ['401', '403', '429', '500', '503', 'html', 'json-error', 'error-in-stream', 'cut']) {
			failures.push((await hear(setupProvider({ key: canary }), ask(model))).failure);
		}
		const listed = await setupProvider({ path: '/key-other/openai/v1', key: canary }).listModels(never);
		const words = JSON.stringify([failures, listed]);
		expect(words).toContain('Incorrect API key provided: [key removed].');
		expect(words).not.toContain('canary');
		expect(words).not.toContain(canary.slice(-8));
	});

	it('PRV-19 a refused field is left out, and not sent again', async () => {
		const provider = setupProvider();
		const first = server().requests.length;
		expect((await hear(provider, ask('no-stream-options:words=3'))).failure).toBeNull();
		expect((await hear(provider, ask('no-stream-options:words=3'))).text).toBe(createStory(3, 1, 'en').join(''));
		const asked = server()
			.requests.slice(first)
			.map((request) => 'stream_options' in bodyOf(request));
		expect(asked).toEqual([true, false, false]);
		const limited = ask('no-max-tokens:words=3', 'Hello', { parameters: { maxOutputTokens: 9 } });
		expect((await hear(setupProvider(), limited)).failure).toBeNull();
		expect(bodyOf(lastAsked())).toMatchObject({ max_completion_tokens: 9 });
		const before = server().requests.length;
		expect((await hear(setupProvider(), ask('400'))).failure?.code).toBe('model-request-refused');
		expect(server().requests.length).toBe(before + 1);
	});

	it('PRV-22 a server that is not there is unreachable', async () => {
		const gone = await startModelServer();
		await gone.close();
		const provider = setupProvider({ connection: { baseUrl: `${gone.url}/openai/v1` } });
		expect((await hear(provider, ask('echo'))).failure).toEqual({ code: 'model-unreachable' });
		expect(await provider.listModels(never)).toEqual({ ok: false, error: { code: 'model-unreachable' } });
	});
});

describe('lists of models', () => {
	it('PRV-12 what each vendor knows of its models', async () => {
		const list = async (vendor: string): Promise<unknown> => {
			const listed = await setupProvider({ path: `/${vendor}/v1` }).listModels(never);
			return listed.ok ? listed.value.slice(0, 2) : listed.error;
		};
		const both = (displayName: string | null, contextWindow: number | null): unknown =>
			['echo', 'story'].map((id) => ({ id, displayName: displayName === null ? null : displayName + id, contextWindow }));
		expect(await list('openai')).toEqual(both(null, null));
		expect(await list('openrouter')).toEqual(both('Model Server: ', 131_072));
		expect(await list('llamacpp')).toEqual(both(null, 32_768));
		expect(await list('vllm')).toEqual(both(null, 8192));
	});

	it('PRV-12 an empty list, a refusal, and a stop', async () => {
		const empty = await startModelServer({ models: [] });
		const provider = setupProvider({ connection: { baseUrl: `${empty.url}/ollama/v1` } });
		expect(await provider.listModels(never)).toEqual({ ok: true, value: [] });
		await empty.close();
		expect(await setupProvider({ path: '/nobody/v1' }).listModels(never)).toMatchObject({
			ok: false,
			error: { code: 'model-wrong-address' }
		});
		expect(await setupProvider().listModels(AbortSignal.abort())).toEqual({ ok: false, error: { code: 'model-aborted' } });
	});

	it('PRV-12 a list that does not come is silence', async () => {
		const deps = { fetch: () => new Promise<Response>(() => {}) };
		const listed = await setupProvider({ connection: { firstByteTimeoutMs: 50 }, deps }).listModels(never);
		expect(listed).toEqual({ ok: false, error: { code: 'model-silent' } });
	});
});
