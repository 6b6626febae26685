// From an HTTP status and a body to a code of the port. Pure; runs anywhere. SPEC.md PRV-15, PRV-16.
import type { ModelFailure, ModelFailureCode } from '#lib/core/context/model.ts';
import { describeFailure } from './failure-detail.ts';

export interface HttpRefusal {
	readonly status: number;
	readonly headers: Headers;
	/** The parsed body, or its text. */
	readonly body: unknown;
	/** The key that was sent; null when none was. */
	readonly key: string | null;
	readonly nowMs: number;
}

export function httpFailure({ status, headers, body, key, nowMs }: HttpRefusal): ModelFailure {
	const detail = describeFailure(body, key);
	const words = wordsOf(body);
	const code = codeOf(status, words, key);
	const retryAfterMs = code === 'model-rate-limited' || status >= 500 ? readRetryAfter(headers, words, nowMs) : null;
	return { code, status, ...(retryAfterMs === null ? {} : { retryAfterMs }), ...(detail === null ? {} : { detail }) };
}

function codeOf(status: number, words: string, key: string | null): ModelFailureCode {
	switch (status) {
		case 401:
			return key === null ? 'model-key-missing' : 'model-key-refused';
		case 403:
			return 'model-key-refused';
		case 402:
			return 'model-quota-used-up';
		case 404:
			return namesModel(words) ? 'model-not-found' : 'model-wrong-address';
		case 405:
			return 'model-wrong-address';
		case 413:
			return 'model-context-too-long';
		case 429:
			return saysQuotaIsUsedUp(words) ? 'model-quota-used-up' : 'model-rate-limited';
		default:
			if (status >= 500) return saysTooLong(words) ? 'model-context-too-long' : 'model-server-error';
			return saysTooLong(words) ? 'model-context-too-long' : namesUnknownModel(words) ? 'model-not-found' : 'model-request-refused';
	}
}

/** All words of a body, for looking at; never shown. */
export function wordsOf(body: unknown): string {
	return (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, 20_000);
}

/** True for the wordings of OpenAI, llama.cpp, LM Studio, vLLM, Anthropic's and Google's gateways. */
export function saysTooLong(words: string): boolean {
	return /context[ _](?:length|size|window)|exceed_context|maximum context|prompt is too long|too many (?:input )?tokens|input token count|tokens to keep from the initial prompt/i.test(
		words
	);
}

function saysQuotaIsUsedUp(words: string): boolean {
	return /insufficient_quota|exceeded your current quota|insufficient (?:balance|credits|funds)|billing_hard_limit|out of credits|credit balance/i.test(
		words
	);
}

/** In a 404 any mention of a model will do, but for the path that was asked for; a web page means a wrong address. */
function namesModel(words: string): boolean {
	return !/^\s*<(?:!doctype|html)/i.test(words) && /model/i.test(words.replace(/\/models\b/g, ''));
}

function namesUnknownModel(words: string): boolean {
	return /model_not_found|model[^.]{0,80}(?:not found|does not exist|is not a valid|not supported)|unknown model|invalid model|no such model/i.test(
		words
	);
}

/**
 * The server's wish in milliseconds, at least 0: `retry-after-ms`, `retry-after` in seconds or as a date, else the words
 * "try again in 20s", since pages may not read `retry-after` unless the server exposes it. Null when there is none.
 */
export function readRetryAfter(headers: Headers, words: string, nowMs: number): number | null {
	const milliseconds = readNumber(headers.get('retry-after-ms'));
	if (milliseconds !== null) return milliseconds;
	const header = headers.get('retry-after');
	const seconds = readNumber(header);
	if (seconds !== null) return Math.round(seconds * 1000);
	const date = header === null ? Number.NaN : Date.parse(header);
	if (!Number.isNaN(date)) return Math.max(0, date - nowMs);
	const spoken = /try again in (?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)(ms|s))?/i.exec(words);
	if (spoken === null || (spoken[1] === undefined && spoken[2] === undefined)) return null;
	return Math.round(Number(spoken[1] ?? 0) * 60_000 + Number(spoken[2] ?? 0) * (spoken[3] === 'ms' ? 1 : 1000));
}

function readNumber(text: string | null): number | null {
	if (text === null || text.trim() === '') return null;
	const number = Number(text);
	return Number.isFinite(number) && number >= 0 ? number : null;
}
