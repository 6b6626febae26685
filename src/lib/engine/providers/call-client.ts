// An OpenAI SDK client for one call: our fetch under it, the person's headers and key on it, nothing else of the SDK's own.
// Runs in the engine worker; the SDK is loaded at the first call. SPEC.md PRV-03, PRV-05, PRV-13, PRV-14.
import type OpenAI from 'openai';
import { ModelError, type Connection, type ModelFailure } from '#lib/core/context/model.ts';
import { wordsOf } from './http-failure.ts';
import type { CallWatch } from './call-watch.ts';
import type { ProviderDeps } from './provider-deps.ts';

export interface CallClient {
	readonly client: OpenAI;
	/** The answer's status and headers; null while there is none. */
	readonly answer: () => { readonly status: number; readonly headers: Headers } | null;
	/** What `fetch` itself threw; undefined when it did not. */
	readonly fetchError: () => unknown;
	/** The answer was a success, but a page or plain JSON instead of an event stream: its text. Null otherwise. */
	readonly notAStream: () => string | null;
}

export interface CallOptions {
	readonly connection: Connection;
	/** Null: no Authorization header leaves. */
	readonly key: string | null;
	readonly watch: CallWatch;
	readonly expectsStream: boolean;
}

/** Headers that a connection may not set: the transport's own, and those that carry keys or cookies. */
const reservedHeaders = new Set([
	'authorization',
	'connection',
	'content-length',
	'content-type',
	'cookie',
	'expect',
	'host',
	'keep-alive',
	'proxy-authenticate',
	'proxy-authorization',
	'proxy-connection',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade'
]);
/** The SDK insists on a key. This one never leaves: without a key the Authorization header is dropped twice. */
const noKey = 'none';
const errorBodyLimitBytes = 64 * 1024;
const longestTimerMs = 0x7fffffff;

/** Loads the SDK, so that a later call finds it without a network. Rejects with `model-code-missing`; may be called again then. */
export async function loadClient(): Promise<typeof import('openai')> {
	try {
		return await import('openai');
	} catch (error) {
		throw new ModelError({ code: 'model-code-missing', detail: error instanceof Error ? error.message.slice(0, 200) : 'unknown' });
	}
}

export async function createCallClient(deps: Pick<ProviderDeps, 'fetch'>, options: CallOptions): Promise<CallClient> {
	const { connection, key, watch, expectsStream } = options;
	const { OpenAI } = await loadClient();
	let answer: { status: number; headers: Headers } | null = null;
	let fetchError: unknown;
	let notAStream: string | null = null;

	const watchedFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
		const headers = new Headers(init?.headers);
		// Unknown headers make strict servers refuse the preflight.
		for (const name of [...headers.keys()]) if (name.startsWith('x-stainless-')) headers.delete(name);
		if (key === null) headers.delete('authorization');
		answer = null;
		fetchError = undefined;
		const url = input instanceof Request ? input.url : String(input);
		let response: Response;
		try {
			response = await watch.race(deps.fetch(url, { ...init, headers, credentials: 'omit', referrerPolicy: 'no-referrer' }));
		} catch (error) {
			fetchError = error;
			throw error;
		}
		answer = { status: response.status, headers: response.headers };
		const isPage = response.ok && expectsStream && /\b(?:html|json)\b/i.test(response.headers.get('content-type') ?? '');
		const watched = watch.watchBody(response, isPage || !response.ok ? errorBodyLimitBytes : null);
		if (isPage) {
			notAStream = await watched.text();
			throw new TypeError('not an event stream');
		}
		return watched;
	};

	const client = new OpenAI({
		apiKey: key ?? noKey,
		baseURL: connection.baseUrl,
		organization: null,
		project: null,
		dangerouslyAllowBrowser: true,
		maxRetries: 0,
		// The watch keeps time.
		timeout: longestTimerMs,
		logLevel: 'off',
		fetch: watchedFetch,
		defaultHeaders: { ...extraHeaders(connection), ...(key === null ? { Authorization: null } : {}) }
	});
	return { client, answer: () => answer, fetchError: () => fetchError, notAStream: () => notAStream };
}

/** The connection's own headers, without those it may not set and those that no request could carry. */
function extraHeaders(connection: Pick<Connection, 'headers'>): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(connection.headers ?? {})) {
		const isAllowed = /^[!#$%&'*+\-.^_`|~\w]+$/.test(name) && !reservedHeaders.has(name.toLowerCase());
		if (isAllowed && (typeof value === 'string' || typeof value === 'number') && /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value))) {
			headers[name] = String(value);
		}
	}
	return headers;
}

/**
 * The key of a connection, without the spaces that pasting brings along; null when it has none. Throws `ModelError`:
 * `model-key-missing` when there should be one and it cannot be read, `model-key-refused` when no header could carry it.
 */
export async function readKey(connection: Pick<Connection, 'hasKey'>, getKey: () => Promise<string | null>): Promise<string | null> {
	let key: string | null;
	try {
		key = (await getKey())?.trim() ?? null;
	} catch {
		throw new ModelError({ code: 'model-key-missing' });
	}
	if (key === null || key === '') {
		if (connection.hasKey) throw new ModelError({ code: 'model-key-missing' });
		return null;
	}
	if (!/^[\x21-\x7e]+$/.test(key)) throw new ModelError({ code: 'model-key-refused' });
	return key;
}

/** A success that was no stream: JSON that tells of an error, or something else altogether. */
export function notAStreamFailure(text: string, status: number, describe: (words: unknown) => string | null): ModelFailure {
	const body = parseJson(text);
	const isError = typeof body === 'object' && body !== null && 'error' in body && Boolean(body.error);
	const detail = describe(body ?? wordsOf(text));
	return { code: isError ? 'model-stream-error' : 'model-stream-malformed', status, ...(detail === null ? {} : { detail }) };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return null;
	}
}
