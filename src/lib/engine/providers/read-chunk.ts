// One event of a Chat Completions stream, read with mistrust: vendors add, omit and rename. Pure; runs anywhere. SPEC.md PRV-06, PRV-07, PRV-09.
import type { StopReason } from '#lib/core/context/model.ts';
import type { Usage } from '#lib/core/domain/nodes.ts';

export interface ReadChunk {
	readonly text: string;
	readonly reasoning: string;
	/** Null while the answer goes on. `error`: the vendor's way of saying that it broke off. */
	readonly finish: StopReason | 'error' | null;
	readonly usage: Usage | null;
	readonly model: string | null;
	/** A call of a tool began or went on; what it says is not read here. */
	readonly hasToolCall: boolean;
	/** An error in place of a chunk, in the vendor's shape; null for none. */
	readonly error: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

/** Null when `value` is no object, and so no chunk. */
export function readChunk(value: unknown): ReadChunk | null {
	const chunk = fieldsOf(value);
	if (chunk === null) return null;
	const choices = Array.isArray(chunk['choices']) ? chunk['choices'] : [];
	const choice = fieldsOf(choices.find((each) => (fieldsOf(each)?.['index'] ?? 0) === 0)) ?? {};
	const delta = fieldsOf(choice['delta']) ?? {};
	const content = readContent(delta['content']);
	const toolCalls = delta['tool_calls'];
	return {
		text: content.text + stringOf(delta['refusal']),
		reasoning: readReasoning(delta) + content.reasoning,
		finish: readFinish(choice['finish_reason']),
		usage: readUsage(chunk),
		model: stringOf(chunk['model']) || null,
		hasToolCall: Array.isArray(toolCalls) && toolCalls.length > 0,
		// vLLM has put the error's fields where the chunk's stand.
		error: chunk['object'] === 'error' ? chunk : (chunk['error'] ?? null)
	};
}

/** A string, or Mistral's list of parts, in which thinking and text are mixed. */
function readContent(content: unknown): { text: string; reasoning: string } {
	if (!Array.isArray(content)) return { text: stringOf(content), reasoning: '' };
	let text = '';
	let reasoning = '';
	for (const part of content.map(fieldsOf)) {
		if (part === null) continue;
		if (part['type'] === 'thinking') reasoning += readContent(part['thinking']).text;
		else text += stringOf(part['text']);
	}
	return { text, reasoning };
}

/** DeepSeek, llama.cpp, LM Studio: `reasoning_content`. OpenRouter, Ollama, newer vLLM: `reasoning`. Both, where both, are the same. */
function readReasoning(delta: Fields): string {
	return stringOf(delta['reasoning_content']) || stringOf(delta['reasoning']);
}

function readFinish(reason: unknown): ReadChunk['finish'] {
	switch (reason) {
		case null:
		case undefined:
		case '':
			return null;
		case 'stop':
		case 'eos':
			return 'stop';
		case 'length':
		case 'max_tokens':
			return 'length';
		case 'content_filter':
			return 'content-filter';
		case 'tool_calls':
		case 'function_call':
			return 'tool-calls';
		case 'error':
			return 'error';
		default:
			return 'unknown';
	}
}

/** Tokens as the vendor counted them; llama.cpp's `timings` where there is no `usage`, Groq's `x_groq` around it. */
function readUsage(chunk: Fields): Usage | null {
	const usage = fieldsOf(chunk['usage']) ?? fieldsOf(fieldsOf(chunk['x_groq'])?.['usage']);
	if (usage === null) {
		const timings = fieldsOf(chunk['timings']);
		if (timings === null) return null;
		const prompt = countOf(timings['prompt_n']);
		return {
			inputTokens: prompt === null ? null : prompt + (countOf(timings['cache_n']) ?? 0),
			outputTokens: countOf(timings['predicted_n'])
		};
	}
	const cached = countOf(fieldsOf(usage['prompt_tokens_details'])?.['cached_tokens']) ?? countOf(usage['prompt_cache_hit_tokens']);
	const reasoning = countOf(fieldsOf(usage['completion_tokens_details'])?.['reasoning_tokens']);
	const cost = countOf(usage['cost']);
	return {
		inputTokens: countOf(usage['prompt_tokens']),
		outputTokens: countOf(usage['completion_tokens']),
		...(cached === null ? {} : { cachedInputTokens: cached }),
		...(reasoning === null ? {} : { reasoningTokens: reasoning }),
		...(cost === null ? {} : { costUsd: cost })
	};
}

export function fieldsOf(value: unknown): Fields | null {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function stringOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** A finite number from 0 up, or null. */
export function countOf(value: unknown): number | null {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
