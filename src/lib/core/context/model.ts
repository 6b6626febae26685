// What goes to a model and what comes back, in words that belong to no provider. Adapters translate (engine/providers).
import type { Usage } from '../domain/nodes.ts';
import type { JsonObject, JsonValue } from '../std/json.ts';
import type { Result } from '../std/result.ts';

export type ModelContent = { readonly type: 'text'; readonly text: string };

export type ModelMessage =
	| { readonly role: 'system'; readonly content: readonly ModelContent[] }
	| { readonly role: 'user'; readonly content: readonly ModelContent[] }
	| {
			readonly role: 'assistant';
			readonly content: readonly ModelContent[];
			readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly arguments: JsonValue }[];
			readonly providerState?: JsonValue;
	  }
	| { readonly role: 'tool'; readonly toolCallId: string; readonly content: readonly ModelContent[] };

export interface ModelRequest {
	readonly model: string;
	readonly messages: readonly ModelMessage[];
	/** Only what the person set: an undefined parameter is never sent (E-18). */
	readonly parameters: { readonly temperature?: number; readonly maxOutputTokens?: number };
	/** The language of the interface (`en`, `zh-CN`), for the built-in Guide. */
	readonly locale: string;
}

/** One thing that a stream says. Order: `start` once, then deltas in any mix, then exactly one `end`; or a failure at any point. */
export type ModelEvent =
	/** The server answered; nothing has been said yet. */
	| { readonly type: 'start' }
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'reasoning'; readonly text: string }
	| { readonly type: 'end'; readonly stopReason: StopReason; readonly usage: Usage | null; readonly model: string | null };

export type StopReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'unknown';

/**
 * Why a model did not answer, or broke off. `status`: HTTP status where there was one. `retryAfterMs`: the server's own
 * wish, at least 0. `detail`: the provider's words, at most 500 characters, with anything that looks like a key cut out.
 */
export interface ModelFailure {
	readonly code: ModelFailureCode;
	readonly status?: number;
	readonly retryAfterMs?: number;
	readonly detail?: string;
}

export type ModelFailureCode =
	/** The device has no network. */
	| 'model-offline'
	/** Nothing listens there, or the name does not resolve. */
	| 'model-unreachable'
	/** The server is there, but lets no browser page read its answers (CORS). */
	| 'model-cors'
	/** An https page may not call this http address. */
	| 'model-mixed-content'
	/** 401 and 403. */
	| 'model-key-refused'
	/** The connection has a key on record that cannot be read any more, or needs one and has none. */
	| 'model-key-missing'
	/** 404 that names the model, or a list that lacks it. */
	| 'model-not-found'
	/** Any other 404 or 405: the base URL is off. */
	| 'model-wrong-address'
	/** 429. */
	| 'model-rate-limited'
	/** 402, or a 429 that says that the quota is used up. */
	| 'model-quota-used-up'
	/** 400 that says that the conversation is too long. */
	| 'model-context-too-long'
	/** Any other 4xx. */
	| 'model-request-refused'
	/** 5xx. */
	| 'model-server-error'
	/** The stream ended without its end mark. */
	| 'model-stream-cut'
	/** What came was no event stream, or no JSON. */
	| 'model-stream-malformed'
	/** An error event inside the stream. */
	| 'model-stream-error'
	/** No first byte, or a silence, longer than the connection's limit. */
	| 'model-silent'
	/** It ended properly, without a word. */
	| 'model-empty-answer'
	/** A part of the app itself could not be loaded: offline before it was complete, or an old tab after a new version. */
	| 'model-code-missing'
	/** The person, or a leader that lost its lock, broke it off. */
	| 'model-aborted';

/** Thrown by a provider's stream, and nothing else is. */
export class ModelError extends Error {
	override readonly name = 'ModelError';
	constructor(readonly failure: ModelFailure) {
		super(failure.code);
	}
}

/** What a provider knows of one of its models; null where it does not say. */
export interface ModelDescription {
	readonly id: string;
	readonly displayName: string | null;
	readonly contextWindow: number | null;
}

/**
 * A way to a model. Lives in the engine worker, holds no conversation state, may be used by several runs at once.
 *
 * `stream`: yields at least `start` and one `end`, or throws `ModelError`; aborting `signal` makes it throw
 * `model-aborted` soon. `listModels`: in the provider's order, never throws.
 */
export interface ModelProvider {
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
	listModels(signal: AbortSignal): Promise<Result<readonly ModelDescription[], ModelFailure>>;
}

/** A configured provider as it is stored and shown; its key is elsewhere (`hasKey` only says that there is one). */
export interface Connection {
	readonly id: string;
	readonly name: string;
	readonly kind: 'guide' | 'openai-compatible';
	/** Without a trailing slash, such as `http://localhost:11434/v1`; empty for the Guide. */
	readonly baseUrl: string;
	readonly defaultModel: string;
	/** Ids of the models it listed when it was last tested; empty when it has no list. */
	readonly modelIds: readonly string[];
	readonly enabled: boolean;
	readonly hasKey: boolean;
	/** No first byte for this long: `model-silent`. */
	readonly firstByteTimeoutMs: number;
	/** A silence of this length in the middle of a stream: `model-silent`. */
	readonly silenceTimeoutMs: number;
	readonly createdAt: number;
	readonly updatedAt: number;
	/** Of the last change, for sync; undefined for the Guide and for what is not stored. */
	readonly stamp?: string;
	/** Extra request headers by name; never a key. */
	readonly headers?: JsonObject;
}
