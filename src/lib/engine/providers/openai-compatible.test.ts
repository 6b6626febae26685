// The adapter against a real server over real HTTP: what goes well, keys, silence and stopping.
import { describe, expect, it } from 'vitest';
import { createStory } from '../../../../tests/fixtures/model-server/seeded-text.ts';
import { vendorsByName } from '../../../../tests/fixtures/model-server/vendors.ts';
import { ask, bodyOf, canary, hear, never, setupServer } from './openai-compatible.setup.ts';

const vendorNames = Object.keys(vendorsByName);
const { server, setupProvider, lastAsked } = setupServer();

describe('answers', () => {
	it.each(vendorNames)('PRV-01 a whole answer in the shape of %s', async (vendor) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1` }), ask('echo', 'Grow, tree! 树在生长。'));
		expect(heard.failure).toBeNull();
		expect(heard.text).toBe('Echo: Grow, tree! 树在生长。');
		expect(heard.events.map((event) => event.type).filter((type) => type !== 'text')).toEqual(['start', 'end']);
		expect(heard.events[0]).toEqual({ type: 'start' });
		expect(heard.end).toMatchObject({ stopReason: 'stop', model: 'echo' });
	});

	it('PRV-02 what is not set is not sent', async () => {
		await hear(setupProvider(), ask('echo'));
		expect(bodyOf(lastAsked())).toEqual({
			model: 'echo',
			messages: [{ role: 'user', content: 'Hello' }],
			stream: true,
			stream_options: { include_usage: true }
		});
		await hear(setupProvider(), ask('echo', 'Hello', { parameters: { temperature: 0, maxOutputTokens: 12 } }));
		expect(bodyOf(lastAsked())).toMatchObject({ temperature: 0, max_tokens: 12 });
	});

	it("PRV-29 a person's messages in a row are sent as one", async () => {
		const says = (role: 'user' | 'assistant', words: string) => ({ role, content: [{ type: 'text', text: words }] }) as const;
		const messages = [says('user', 'one'), says('user', 'two'), says('assistant', 'three'), says('user', 'four')];
		await hear(setupProvider(), ask('echo', '', { messages }));
		expect(bodyOf(lastAsked())['messages']).toEqual([
			{ role: 'user', content: 'one\n\ntwo' },
			{ role: 'assistant', content: 'three' },
			{ role: 'user', content: 'four' }
		]);
	});

	it('PRV-02 roles, tool calls and results have their shapes', async () => {
		const text = (words: string) => [{ type: 'text', text: words }] as const;
		const request = ask('echo', '', {
			messages: [
				{ role: 'system', content: text('Be kind.') },
				{ role: 'user', content: [...text('one'), ...text('two')] },
				{
					role: 'assistant',
					content: [],
					toolCalls: [{ id: 't1', name: 'clock', arguments: { zone: 'UTC' } }],
					providerState: { secret: 1 }
				},
				{ role: 'tool', toolCallId: 't1', content: text('noon') },
				{ role: 'assistant', content: text('It is noon.') },
				{ role: 'user', content: text('Thanks') }
			]
		});
		const heard = await hear(setupProvider(), request);
		expect(heard.text).toBe('Echo: Thanks');
		expect(bodyOf(lastAsked())['messages']).toEqual([
			{ role: 'system', content: 'Be kind.' },
			{ role: 'user', content: 'one\n\ntwo' },
			{
				role: 'assistant',
				content: null,
				tool_calls: [{ id: 't1', type: 'function', function: { name: 'clock', arguments: '{"zone":"UTC"}' } }]
			},
			{ role: 'tool', tool_call_id: 't1', content: 'noon' },
			{ role: 'assistant', content: 'It is noon.' },
			{ role: 'user', content: 'Thanks' }
		]);
	});

	it.each([
		['deepseek', 'reasoning_content'],
		['llamacpp', 'reasoning_content'],
		['ollama', 'reasoning'],
		['openrouter', 'reasoning']
	])('PRV-06 %s thinks in %s', async (vendor) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1` }), ask('story:words=5,think=9,seed=4'));
		expect(heard.reasoning).toBe(createStory(9, 5, 'en').join(''));
		expect(heard.text).toBe(createStory(5, 4, 'en').join(''));
	});

	it.each([
		['openai', { inputTokens: 3, outputTokens: 5, cachedInputTokens: 0, reasoningTokens: 2 }],
		['openrouter', { inputTokens: 3, outputTokens: 5, cachedInputTokens: 3, reasoningTokens: 2, costUsd: 0.00025 }],
		['deepseek', { inputTokens: 3, outputTokens: 5, cachedInputTokens: 2, reasoningTokens: 2 }],
		['ollama', { inputTokens: 3, outputTokens: 5 }],
		['llamacpp', { inputTokens: 3, outputTokens: 5 }],
		['vllm', { inputTokens: 3, outputTokens: 5 }]
	])('PRV-07 tokens as %s counts them', async (vendor, usage) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1` }), ask('story:words=3,think=2', 'one two three'));
		expect(heard.end?.usage).toEqual(usage);
	});

	it('PRV-07 no tokens where the server does not say', async () => {
		const heard = await hear(setupProvider(), ask('no-usage:words=3'));
		expect(heard.end).toEqual({ type: 'end', stopReason: 'stop', usage: null, model: 'no-usage:words=3' });
	});

	it.each([
		['openrouter', 'keep-alive:words=60', 'en'],
		['azure', 'split-events:words=60', 'en'],
		['openai', 'split-utf8:words=60', 'zh'],
		['deepseek', 'split-utf8:words=60,think=10', 'zh']
	] as const)('PRV-08 %s with %s loses nothing', async (vendor, model, language) => {
		const heard = await hear(setupProvider({ path: `/${vendor}/v1` }), ask(model));
		expect(heard.failure).toBeNull();
		expect(heard.text).toBe(createStory(60, 1, language).join(''));
	});

	it('PRV-08 a very long answer arrives whole', async () => {
		const heard = await hear(setupProvider(), ask('long-50k'));
		expect(heard.text).toBe(createStory(50_000, 1, 'en').join(''));
		expect(heard.end?.usage?.outputTokens).toBe(50_000);
	});

	it.each([
		['length', 'length'],
		['content-filter', 'content-filter'],
		['no-finish', 'unknown'],
		['no-done', 'stop']
	] as const)('PRV-09 %s ends with %s', async (behaviour, stopReason) => {
		const heard = await hear(setupProvider(), ask(`${behaviour}:words=4`));
		expect(heard.failure).toBeNull();
		expect(heard.end?.stopReason).toBe(stopReason);
	});

	it('PRV-28 an end without a word is an empty answer', async () => {
		const heard = await hear(setupProvider({ path: '/ollama/v1' }), ask('empty'));
		expect(heard.failure).toEqual({ code: 'model-empty-answer' });
		const filtered = await hear(setupProvider(), ask('content-filter'));
		expect([filtered.failure, filtered.text]).toEqual([null, '']);
	});
});

describe('headers and keys', () => {
	it('PRV-03 a key goes into the Authorization header and nowhere else', async () => {
		const heard = await hear(setupProvider({ path: `/key-${canary}/openai/v1`, key: ` ${canary}\n` }), ask('echo'));
		expect(heard.text).toBe('Echo: Hello');
		const { headers, body } = lastAsked() ?? {};
		expect(headers?.['authorization']).toBe(`Bearer ${canary}`);
		expect(JSON.stringify([{ ...headers, authorization: '' }, body])).not.toContain(canary);
	});

	it('PRV-03 without a key there is no Authorization header', async () => {
		const provider = setupProvider({ path: '/ollama/v1' });
		await hear(provider, ask('echo'));
		await provider.listModels(never);
		expect(
			server()
				.requests.slice(-2)
				.map((request) => [request.method, 'authorization' in request.headers])
		).toEqual([
			['POST', false],
			['GET', false]
		]);
	});

	it.each([
		['is gone', null, 'model-key-missing'],
		['holds a line break', 'abc\ndefghi', 'model-key-refused'],
		['is no ASCII', 'sk-密钥', 'model-key-refused']
	] as const)('PRV-03 a key that %s sends no request', async (_what, key, code) => {
		const before = server().requests.length;
		const heard = await hear(setupProvider({ key, connection: { hasKey: true } }), ask('echo'));
		expect(heard.failure).toEqual({ code });
		expect(server().requests.length).toBe(before);
	});

	it('PRV-05 own headers are sent, reserved and SDK headers are not', async () => {
		const headers = {
			'X-Title': 'Bough',
			Authorization: 'Bearer stolen',
			Cookie: 'a=b',
			Connection: 'close',
			Host: 'evil.example',
			'bad name': 'x',
			'X-Line': 'a\nb'
		};
		await hear(setupProvider({ connection: { headers } }), ask('echo'));
		const sent = lastAsked()?.headers ?? {};
		expect(sent['x-title']).toBe('Bough');
		expect(sent['host']).toBe(new URL(server().url).host);
		expect(Object.keys(sent).filter((name) => /^(?:x-stainless|openai-|authorization|cookie|bad|x-line)/.test(name))).toEqual([]);
	});
});

describe('silence and stopping', () => {
	it.each(['never-first-byte', 'headers-only'])('PRV-04 %s is silence', async (behaviour) => {
		const connection = { firstByteTimeoutMs: 150, silenceTimeoutMs: 10_000 };
		const heard = await hear(setupProvider({ connection }), ask(behaviour));
		expect(heard.failure).toEqual({ code: 'model-silent' });
	});

	it('PRV-04 a silence in the middle keeps what came', async () => {
		const connection = { firstByteTimeoutMs: 10_000, silenceTimeoutMs: 700 };
		const heard = await hear(setupProvider({ connection }), ask('silent:after=6'));
		expect(heard.failure).toEqual({ code: 'model-silent' });
		expect(heard.text).toBe(createStory(80, 1, 'en').slice(0, 6).join(''));
	});

	it('PRV-04 comments keep a call alive, but not for ever', async () => {
		const connection = { firstByteTimeoutMs: 1000, silenceTimeoutMs: 40 };
		const heard = await hear(setupProvider({ path: '/openrouter/v1', connection }), ask('keep-alive-only:ms=5'));
		expect(heard.failure).toEqual({ code: 'model-silent' });
		const comments = await hear(setupProvider({ path: '/openrouter/v1', connection }), ask('keep-alive:words=40,ms=5'));
		expect(comments.failure).toBeNull();
	});

	it('PRV-04 a slow reader is no silence', async () => {
		const provider = setupProvider({ connection: { firstByteTimeoutMs: 1000, silenceTimeoutMs: 60 } });
		let text = '';
		for await (const event of provider.stream(ask('story:words=12,ms=0'), never)) {
			if (event.type === 'text' && text === '') await new Promise((resolve) => setTimeout(resolve, 200));
			if (event.type === 'text') text += event.text;
		}
		expect(text).toBe(createStory(12, 1, 'en').join(''));
	});

	it('PRV-10 stopping throws soon and closes the connection', async () => {
		const controller = new AbortController();
		const provider = setupProvider();
		const heard: string[] = [];
		const streaming = (async () => {
			for await (const event of provider.stream(ask('story:pause=3'), controller.signal)) {
				if (event.type === 'text') heard.push(event.text);
				if (heard.length === 3) controller.abort();
			}
		})();
		await expect(streaming).rejects.toMatchObject({ failure: { code: 'model-aborted' } });
		expect(heard.join('')).toBe(createStory(80, 1, 'en').slice(0, 3).join(''));
		await expect.poll(() => lastAsked()?.state).toBe('client-gone');
	});

	it('PRV-10 stopping before the first byte, and before the call', async () => {
		const controller = new AbortController();
		const before = server().requests.length;
		const hearing = hear(setupProvider(), ask('never-first-byte'), controller.signal);
		await expect.poll(() => server().requests.length).toBe(before + 1);
		controller.abort();
		expect((await hearing).failure).toEqual({ code: 'model-aborted' });
		expect((await hear(setupProvider(), ask('echo'), controller.signal)).failure).toEqual({ code: 'model-aborted' });
		expect(server().requests.length).toBe(before + 1);
	});

	it('PRV-10 a reader that walks away closes the connection', async () => {
		for await (const event of setupProvider().stream(ask('story:pause=3'), never)) {
			if (event.type === 'text') break;
		}
		await expect.poll(() => lastAsked()?.state).toBe('client-gone');
	});
});
