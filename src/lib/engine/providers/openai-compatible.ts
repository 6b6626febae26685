// A way to any server that speaks OpenAI's Chat Completions: hosted providers, and Ollama, LM Studio, llama.cpp on this machine.
// Translates the port's words to the SDK's and back, and never believes that a stream ended well because it ended.
// Runs in the engine worker. SPEC.md PRV-01, PRV-02, PRV-08 to PRV-14, PRV-19, PRV-22, PRV-28.
import type { ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import {
	ModelError,
	type Connection,
	type ModelContent,
	type ModelDescription,
	type ModelEvent,
	type ModelFailure,
	type ModelMessage,
	type ModelProvider,
	type ModelRequest
} from '#lib/core/context/model.ts';
import { err, ok, type Result } from '#lib/core/std/result.ts';
import { createCallClient, notAStreamFailure, readKey, type CallClient } from './call-client.ts';
import { watchCall, type CallWatch } from './call-watch.ts';
import { classifyFetchFailure } from './classify-fetch-failure.ts';
import { describeFailure } from './failure-detail.ts';
import { httpFailure, saysTooLong, wordsOf } from './http-failure.ts';
import type { ProviderDeps } from './provider-deps.ts';
import { fieldsOf, readChunk } from './read-chunk.ts';
import { readModelList } from './read-model-list.ts';

export interface OpenAiCompatibleOptions {
	readonly connection: Connection;
	/** Asked at every call and kept by nobody; null when the connection has no key. */
	readonly getKey: () => Promise<string | null>;
	readonly deps: ProviderDeps;
}

/** E-18: a list of models is not worth a longer wait. */
const listTimeoutMs = 4000;

/** Fields that this server refused once and is not sent again, for as long as the provider lives. */
interface Refused {
	streamOptions: boolean;
	maxTokens: boolean;
}

export function createOpenAiCompatibleProvider(options: OpenAiCompatibleOptions): ModelProvider {
	const refused: Refused = { streamOptions: false, maxTokens: false };
	return {
		stream: (request, signal) => streamAnswer(options, refused, request, signal),
		listModels: (signal) => listModels(options, signal)
	};
}

async function* streamAnswer(
	options: OpenAiCompatibleOptions,
	refused: Refused,
	request: ModelRequest,
	signal: AbortSignal
): AsyncGenerator<ModelEvent, void, undefined> {
	const { connection, deps } = options;
	const watch = watchCall(signal, connection);
	let key: string | null = null;
	let call: CallClient | null = null;
	try {
		key = await watch.race(readKey(connection, options.getKey));
		call = await createCallClient(deps, { connection, key, watch, expectsStream: true });
		const chunks = await openStream(call, watch, refused, request);
		yield { type: 'start' };
		yield* readEvents(chunks, watch, key);
	} catch (error) {
		throw error instanceof ModelError ? error : new ModelError(await failureOf(error, { options, call, watch, key }));
	} finally {
		watch.close();
	}
}

/** Sends the request, once more without a field when the server refuses that field and nothing else is wrong with it. */
async function openStream(call: CallClient, watch: CallWatch, refused: Refused, request: ModelRequest): Promise<AsyncIterator<unknown>> {
	const attempt = { ...refused };
	for (;;) {
		try {
			const stream = await watch.race(call.client.chat.completions.create(toParams(request, attempt), { signal: watch.signal }));
			Object.assign(refused, attempt);
			return stream[Symbol.asyncIterator]();
		} catch (error) {
			const field = refusedField(error, call.answer()?.status ?? 0);
			if (field === null || attempt[field] || (field === 'maxTokens' && request.parameters.maxOutputTokens === undefined)) throw error;
			attempt[field] = true;
		}
	}
}

function refusedField(error: unknown, status: number): keyof Refused | null {
	if (status !== 400 && status !== 422) return null;
	const words = wordsOf(bodyOf(error));
	if (/max_completion_tokens/.test(words)) return 'maxTokens';
	const isFieldComplaint =
		/stream_options|include_usage|extra (?:inputs|fields)|(?:unknown|unrecognized|unexpected) (?:field|key|argument|parameter|request argument|property)/i;
	return isFieldComplaint.test(words) ? 'streamOptions' : null;
}

async function* readEvents(
	chunks: AsyncIterator<unknown>,
	watch: CallWatch,
	key: string | null
): AsyncGenerator<ModelEvent, void, undefined> {
	let end: Extract<ModelEvent, { type: 'end' }> = { type: 'end', stopReason: 'unknown', usage: null, model: null };
	let hasFinish = false;
	let hasChunk = false;
	let hasSaid = false;
	let hasToolCall = false;
	for (;;) {
		const next = await watch.raceEvent(chunks.next());
		if (next.done === true) break;
		const chunk = readChunk(next.value);
		if (chunk === null) throw new ModelError({ code: 'model-stream-malformed' });
		if (chunk.error !== null) throw new ModelError(streamFailure(chunk.error, key));
		hasChunk = true;
		hasToolCall ||= chunk.hasToolCall;
		if (chunk.reasoning !== '') yield { type: 'reasoning', text: chunk.reasoning };
		if (chunk.text !== '') yield { type: 'text', text: chunk.text };
		hasSaid ||= (chunk.reasoning + chunk.text).trim() !== '';
		if (chunk.finish === 'error') throw new ModelError({ code: 'model-stream-error' });
		hasFinish ||= chunk.finish !== null;
		end = { ...end, stopReason: chunk.finish ?? end.stopReason, usage: chunk.usage ?? end.usage, model: chunk.model ?? end.model };
	}
	const broken = watch.failure();
	if (broken !== null) throw new ModelError(broken);
	if (!hasFinish && !watch.sawDone())
		throw new ModelError({ code: hasChunk || !watch.sawBytes() ? 'model-stream-cut' : 'model-stream-malformed' });
	if (!hasSaid && !hasToolCall && (end.stopReason === 'stop' || end.stopReason === 'unknown'))
		throw new ModelError({ code: 'model-empty-answer' });
	yield end;
}

/** LM Studio says that a conversation is too long in a stream that began well; a person can act on that. */
function streamFailure(error: unknown, key: string | null): ModelFailure {
	const detail = describeFailure(error, key);
	const code = saysTooLong(wordsOf(error)) ? 'model-context-too-long' : 'model-stream-error';
	return { code, ...(detail === null ? {} : { detail }) };
}

async function listModels(
	options: OpenAiCompatibleOptions,
	signal: AbortSignal
): Promise<Result<readonly ModelDescription[], ModelFailure>> {
	const { connection, deps } = options;
	if (signal.aborted) return err({ code: 'model-aborted' });
	const limitMs = Math.min(listTimeoutMs, connection.firstByteTimeoutMs);
	const watch = watchCall(signal, { firstByteTimeoutMs: limitMs, silenceTimeoutMs: limitMs });
	let key: string | null = null;
	let call: CallClient | null = null;
	try {
		key = await watch.race(readKey(connection, options.getKey));
		call = await createCallClient(deps, { connection, key, watch, expectsStream: false });
		const body = await watch.race(call.client.get<unknown>('/models', { signal: watch.signal }));
		const models = readModelList(body);
		return models === null ? err({ code: 'model-stream-malformed', status: 200 }) : ok(models);
	} catch (error) {
		return err(error instanceof ModelError ? error.failure : await failureOf(error, { options, call, watch, key }));
	} finally {
		watch.close();
	}
}

interface FailedCall {
	readonly options: OpenAiCompatibleOptions;
	readonly call: CallClient | null;
	readonly watch: CallWatch;
	readonly key: string | null;
}

/** What a foreign exception means: first why the watch broke off, then what the server said, then why there was no answer. */
async function failureOf(error: unknown, { options, call, watch, key }: FailedCall): Promise<ModelFailure> {
	const { connection, deps } = options;
	const broken = watch.failure();
	if (broken !== null) return broken;
	const answer = call?.answer() ?? null;
	const pageText = call?.notAStream() ?? null;
	if (answer !== null && pageText !== null) return notAStreamFailure(pageText, answer.status, (words) => describeFailure(words, key));
	if (answer !== null && (answer.status < 200 || answer.status > 299)) {
		return httpFailure({ ...answer, body: bodyOf(error), key, nowMs: deps.nowMs() });
	}
	if (answer === null && call?.fetchError() !== undefined) return { code: await classifyFetchFailure(deps, connection.baseUrl) };
	if (error instanceof SyntaxError) return { code: watch.endedMidLine() ? 'model-stream-cut' : 'model-stream-malformed' };
	if (fieldsOf(error)?.['error'] !== undefined) return streamFailure(bodyOf(error), key);
	if (answer !== null) return { code: 'model-stream-cut' };
	// The SDK would not even send it: the address, or a header, is impossible.
	const detail = describeFailure(error instanceof Error ? error.message : null, key);
	return { code: 'model-wrong-address', ...(detail === null ? {} : { detail }) };
}

/** The body that the SDK hangs on its errors; its message where it hung none. */
function bodyOf(error: unknown): unknown {
	const body = fieldsOf(error)?.['error'];
	return body ?? (error instanceof Error ? error.message : null);
}

/** Sends what is set and nothing else (E-18). */
function toParams(request: ModelRequest, refused: Refused): ChatCompletionCreateParamsStreaming {
	const { temperature, maxOutputTokens } = request.parameters;
	return {
		model: request.model,
		messages: inTurns(request.messages).map(toMessage),
		stream: true,
		...(refused.streamOptions ? {} : { stream_options: { include_usage: true } }),
		...(temperature === undefined ? {} : { temperature }),
		...(maxOutputTokens === undefined
			? {}
			: refused.maxTokens
				? { max_completion_tokens: maxOutputTokens }
				: { max_tokens: maxOutputTokens })
	};
}

/** A person's messages in a row, left by an answer that failed, become one: strict templates want the roles to take turns. */
function inTurns(messages: readonly ModelMessage[]): readonly ModelMessage[] {
	const turns: ModelMessage[] = [];
	for (const message of messages) {
		const last = turns.at(-1);
		if (last?.role === 'user' && message.role === 'user')
			turns[turns.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
		else turns.push(message);
	}
	return turns;
}

function toMessage(message: ModelMessage): ChatCompletionMessageParam {
	switch (message.role) {
		case 'system':
		case 'user':
			return { role: message.role, content: toText(message.content) };
		case 'tool':
			return { role: 'tool', tool_call_id: message.toolCallId, content: toText(message.content) };
		case 'assistant': {
			const calls = message.toolCalls ?? [];
			if (calls.length === 0) return { role: 'assistant', content: toText(message.content) };
			return {
				role: 'assistant',
				content: message.content.length === 0 ? null : toText(message.content),
				tool_calls: calls.map((call) => ({
					id: call.id,
					type: 'function',
					function: { name: call.name, arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments) }
				}))
			};
		}
	}
}

/** One string, because some servers read no lists of parts. */
function toText(content: readonly ModelContent[]): string {
	return content.map((part) => part.text).join('\n\n');
}
