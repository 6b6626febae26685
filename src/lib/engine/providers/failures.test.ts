// Words and codes of failures, and chunks that no test server sends.
import { describe, expect, it } from 'vitest';
import { describeFailure } from './failure-detail.ts';
import { httpFailure, readRetryAfter } from './http-failure.ts';
import { readChunk } from './read-chunk.ts';
import { readModelList } from './read-model-list.ts';

const canary = 'canary.9f3b2c7d8e1a4056-ZZ';

describe('the words of a failure', () => {
	it.each([
		['whole', `Bad key ${canary}!`],
		['twice and in part', `${canary} and ${canary.slice(0, 12)}… and …${canary.slice(-9)}`],
		['masked by the server', `Incorrect key: canary****${canary.slice(-4)}.`],
		['in a bearer header', `authorization: Bearer ${canary}`],
		['in a nested body', { error: { message: { detail: `no ${canary}` } } }],
		['at the cut', 'x'.repeat(490) + canary]
	])('PRV-17 a key %s is cut out', (_how, words) => {
		const detail = describeFailure(words, canary) ?? '';
		expect(detail).not.toBe('');
		for (let at = 0; at + 8 <= canary.length; at += 1) expect(detail).not.toContain(canary.slice(at, at + 8));
		expect(detail).not.toContain(canary.slice(-4));
	});

	it.each(['sk-proj-abcDEF123456', 'gsk_abcdef123456', 'AIzaSyA1234567890abc', 'eyJhbGciOiJIUzI1NiJ9.e30.x', `a1${'b'.repeat(40)}`])(
		'PRV-17 %s looks like a key, whoever it belongs to',
		(key) => {
			expect(describeFailure(`The key ${key} was refused.`, null)).toBe('The key [key removed] was refused.');
		}
	);

	it('PRV-17 what is no key is left', () => {
		const words = 'The model `meta-llama/llama-3.1-70b-instruct-turbo` does not exist (request 7f3a).';
		expect(describeFailure(words, canary)).toBe(words);
	});

	it('PRV-18 no more than 500 characters, no markup, no half characters', () => {
		const long = describeFailure('🌳'.repeat(400), null) ?? '';
		expect(long.length).toBeLessThanOrEqual(500);
		expect(long.isWellFormed()).toBe(true);
		expect(describeFailure('<!doctype html><style>p{}</style><h1>502</h1>\n<p>Bad   gateway</p>', null)).toBe('502 Bad gateway');
		expect(describeFailure([{ error: { message: 'Listed' } }], null)).toBe('Listed');
		expect(describeFailure({ reason: 1 }, null)).toBe('{"reason":1}');
		expect([describeFailure('', null), describeFailure(null, null), describeFailure(undefined, null)]).toEqual([null, null, null]);
	});
});

describe('codes and waits', () => {
	const failure = (status: number, body: unknown, key: string | null = 'k'.repeat(9)): string =>
		httpFailure({ status, headers: new Headers(), body, key, nowMs: 0 }).code;

	it('PRV-15 statuses that the test server does not send', () => {
		expect(failure(404, 'Cannot GET /v1/models')).toBe('model-wrong-address');
		expect(failure(404, '<!doctype html><title>My models</title>')).toBe('model-wrong-address');
		expect(failure(405, null)).toBe('model-wrong-address');
		expect(failure(400, { error: { message: 'foo is not a valid model ID' } })).toBe('model-request-refused');
		expect(failure(400, { error: { message: 'Model foo does not exist' } })).toBe('model-not-found');
		expect(failure(413, null)).toBe('model-context-too-long');
		expect(failure(422, { detail: 'temperature' })).toBe('model-request-refused');
		expect(failure(401, null, null)).toBe('model-key-missing');
		expect(failure(529, { error: { message: 'Overloaded' } })).toBe('model-server-error');
	});

	it('PRV-16 words where the header cannot be read, and nonsense in the header', () => {
		const wait = (header: string | null, words = ''): number | null =>
			readRetryAfter(new Headers(header === null ? {} : { 'retry-after': header }), words, 0);
		expect(wait(null, 'Please try again in 20s.')).toBe(20_000);
		expect(wait(null, 'Please try again in 450ms.')).toBe(450);
		expect(wait(null, 'Please try again in 1m3.5s.')).toBe(63_500);
		expect(wait(null, 'Please try again in a while.')).toBeNull();
		expect([wait('soon'), wait('-4'), wait(''), wait('1.5')]).toEqual([null, expect.any(Number), null, 1500]);
	});
});

describe('chunks and lists', () => {
	const choice = (delta: unknown, finish: string | null = null): unknown => ({
		model: 'm',
		choices: [{ index: 0, delta, finish_reason: finish }]
	});

	it('PRV-06 both fields are the same thought; parts are sorted', () => {
		expect(readChunk(choice({ reasoning_content: 'hm', reasoning: 'hm' }))?.reasoning).toBe('hm');
		const parts = [{ type: 'thinking', thinking: [{ type: 'text', text: 'so' }] }, { type: 'text', text: 'Yes' }, 'odd'];
		expect(readChunk(choice({ content: parts }))).toMatchObject({ reasoning: 'so', text: 'Yes' });
	});

	it('PRV-07 timings and x_groq stand in for usage; nonsense is null', () => {
		expect(readChunk({ choices: [], timings: { cache_n: 7, prompt_n: 3, predicted_n: 5 } })?.usage).toEqual({
			inputTokens: 10,
			outputTokens: 5
		});
		expect(readChunk({ x_groq: { usage: { prompt_tokens: 1, completion_tokens: 2 } } })?.usage).toEqual({
			inputTokens: 1,
			outputTokens: 2
		});
		expect(readChunk({ usage: { prompt_tokens: -1, completion_tokens: 'many' } })?.usage).toEqual({
			inputTokens: null,
			outputTokens: null
		});
	});

	it('PRV-09 finish reasons of other vendors', () => {
		const finish = (reason: string): unknown => readChunk(choice({}, reason))?.finish;
		expect(['eos', 'tool_calls', 'max_tokens', 'error', 'brand_new', ''].map(finish)).toEqual([
			'stop',
			'tool-calls',
			'length',
			'error',
			'unknown',
			null
		]);
	});

	it('PRV-13 what is no object is no chunk; what is strange is empty', () => {
		expect([readChunk(null), readChunk('x'), readChunk([1])]).toEqual([null, null, null]);
		expect(readChunk({ choices: 'none' })).toEqual({
			text: '',
			reasoning: '',
			finish: null,
			usage: null,
			model: null,
			hasToolCall: false,
			error: null
		});
		expect(readChunk(choice({ content: 5, refusal: 'No.' }))?.text).toBe('No.');
	});

	it('PRV-12 lists of every shape', () => {
		expect(readModelList([{ id: 'a', display_name: 'A', context_length: 5 }, { name: 'no id' }, null])).toEqual([
			{ id: 'a', displayName: 'A', contextWindow: 5 }
		]);
		expect(readModelList({ object: 'list', data: null })).toEqual([]);
		expect([readModelList('<html>'), readModelList({ models: [] }), readModelList(null)]).toEqual([null, null, null]);
	});
});
