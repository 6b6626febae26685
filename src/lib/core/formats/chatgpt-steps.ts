// What each ChatGPT message is to us, before it gets its place in the thread. Runs anywhere. Keeps FMT-14 to FMT-20.
import type { ContentBlock } from '../domain/nodes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../std/json.ts';
import { messageToBlocks } from './chatgpt-content.ts';
import type { Findings } from './findings.ts';
import { listField, objectField, parseJson, stringField } from './foreign-json.ts';

export type Step =
	/** Nothing to keep: its children hang on the nearest kept ancestor. */
	| { readonly kind: 'skip' }
	/** Thinking, for the next answer of the branch. */
	| { readonly kind: 'reasoning'; readonly text: string }
	| { readonly kind: 'user'; readonly blocks: readonly ContentBlock[] }
	| { readonly kind: 'assistant'; readonly blocks: readonly ContentBlock[] }
	| { readonly kind: 'call'; readonly toolName: string; readonly params: JsonValue }
	| { readonly kind: 'result'; readonly toolName: string; readonly ok: boolean; readonly blocks: readonly ContentBlock[] }
	| { readonly kind: 'custom'; readonly customType: string; readonly data: JsonValue }
	| { readonly kind: 'unknown' };

const skip: Step = { kind: 'skip' };

export function messageToStep(message: JsonObject | null, findings: Findings): Step {
	if (message === null) return skip;
	const author = objectField(message, 'author');
	const role = stringField(author, 'role');
	const content = objectField(message, 'content');
	const type = stringField(content, 'content_type');
	const metadata = objectField(message, 'metadata');

	if (type === 'thoughts' || type === 'reasoning_recap') return toReasoning(content);
	if (type === 'user_editable_context' || metadata['is_user_system_message'] === true) {
		const stated = metadata['user_context_message_data'];
		return toCustom('chatgpt.custom-instructions', type !== 'user_editable_context' && isJsonObject(stated) ? stated : content);
	}
	if (type === 'model_editable_context') return toCustom('chatgpt.memory', content);
	if (role === 'tool') {
		const aggregate = stringField(objectField(metadata, 'aggregate_result'), 'status');
		const failed = type === 'system_error' || stringField(message, 'status') === 'error' || (aggregate?.startsWith('failed') ?? false);
		return { kind: 'result', toolName: stringField(author, 'name') ?? '', ok: !failed, blocks: messageToBlocks(message, findings) };
	}
	const recipient = stringField(message, 'recipient') ?? 'all';
	if (role === 'assistant' && recipient !== 'all') return { kind: 'call', toolName: recipient, params: toParams(content) };

	if (role !== 'user' && role !== 'assistant' && role !== 'system') {
		findings.add('unknown-content-kept', stringField(message, 'id') ?? undefined);
		return { kind: 'unknown' };
	}
	if (role === 'system') return toCustom('chatgpt.system-message', content);
	if (metadata['is_visually_hidden_from_conversation'] === true) return toCustom('chatgpt.hidden-message', content);
	const blocks = messageToBlocks(message, findings);
	return blocks.length === 0 ? skip : { kind: role, blocks };
}

function toReasoning(content: JsonObject): Step {
	const recap = stringField(content, 'content');
	const thoughts = listField(content, 'thoughts').filter(isJsonObject);
	const parts = thoughts.flatMap((thought) => {
		const summary = stringField(thought, 'summary') ?? '';
		return [summary === '' ? '' : `**${summary}**`, stringField(thought, 'content') ?? ''];
	});
	const text = [...parts, recap ?? ''].filter((part) => part.trim() !== '').join('\n\n');
	return text === '' ? skip : { kind: 'reasoning', text };
}

/** Kept out of sight; left out when the content says nothing beyond its type. */
function toCustom(customType: string, content: JsonObject): Step {
	const says = Object.entries(content).some(([key, value]) => key !== 'content_type' && !isBlank(value));
	return says ? { kind: 'custom', customType, data: content } : skip;
}

function isBlank(value: JsonValue): boolean {
	if (value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return Array.isArray(value) && value.every((part: JsonValue) => part === null || (typeof part === 'string' && part.trim() === ''));
}

/** JSON arguments as such; code with its language; the content itself when it is neither. */
function toParams(content: JsonObject): JsonValue {
	const texts = listField(content, 'parts').filter((part) => typeof part === 'string');
	const text = stringField(content, 'text') ?? (texts.length > 0 ? texts.join('\n') : null);
	if (text === null) return content;
	const parsed = parseJson(text);
	if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
	const language = stringField(content, 'language');
	return language === null || language === 'unknown' ? { text } : { language, text };
}
