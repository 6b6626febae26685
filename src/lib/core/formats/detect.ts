// Which tool wrote a piece of JSON, told by its shape alone: never by a file's name, never by the first item only.
// A new format is one new file and one row of the table. Runs anywhere. Keeps FMT-01 and FMT-02.
import { isJsonObject, type JsonObject, type JsonValue } from '../std/json.ts';
import { chatGptConversationToThread, isChatGptConversation } from './chatgpt.ts';
import { listField, objectField, stringField } from './foreign-json.ts';
import type { ImportOutcome } from './imported.ts';
import { createPiSessionReader, isPiLine, type PiSessionReader } from './pi-session.ts';

export interface Format {
	/** Names the tool in the message catalogue. */
	readonly id: string;
	/** True for an item of the file's array, or for the one object that the file holds. */
	readonly isItem?: (value: JsonObject) => boolean;
	/** True for a line of a JSONL file that only this tool writes. */
	readonly isLine?: (value: JsonObject) => boolean;
	/** Present where items can be imported. */
	readonly itemToThread?: (value: unknown) => ImportOutcome;
	/** Present where line files can be imported. */
	readonly createLineReader?: () => PiSessionReader;
}

const has =
	(...keys: readonly string[]) =>
	(value: JsonObject) =>
		keys.every((key) => Object.hasOwn(value, key));

/** First match wins. */
export const formats: readonly Format[] = [
	{ id: 'chatgpt', isItem: isChatGptConversation, itemToThread: chatGptConversationToThread },
	{ id: 'llama-cpp', isLine: (value) => value['type'] === 'session' && stringField(value, 'harness') !== null },
	{ id: 'pi', isLine: isPiLine, createLineReader: createPiSessionReader },
	{ id: 'claude-ai', isItem: (value) => isList(value['chat_messages']) },
	{ id: 'claude-code', isLine: isClaudeCodeLine },
	{ id: 'codex', isLine: (value) => (value['type'] === 'session_meta' && isJsonObject(value['payload'])) || has('record_type')(value) },
	{ id: 'sillytavern', isLine: (value) => has('chat_metadata')(value) || has('user_name', 'character_name')(value) },
	{ id: 'open-webui', isItem: (value) => isOpenWebUiChat(value) || isOpenWebUiChat(objectField(value, 'chat')) },
	{ id: 'librechat', isItem: (value) => has('conversationId', 'messages')(value) || has('conversationId', 'messagesTree')(value) },
	{ id: 'lobechat', isItem: (value) => has('exportType', 'state', 'version')(value) || has('mode', 'schemaHash', 'data')(value) },
	{ id: 'chatbot-ui', isItem: (value) => isList(value['history']) && isList(value['folders']) && isList(value['prompts']) },
	{ id: 'nextchat', isItem: has('chat-next-web-store') },
	{ id: 'chatbox', isItem: (value) => has('chat-sessions-list')(value) || has('__exported_items')(value) },
	{ id: 'cherry-studio', isItem: has('time', 'version', 'localStorage', 'indexedDB') },
	{ id: 'big-agi', isItem: isBigAgiConversation },
	{ id: 'grok', isItem: (value) => isJsonObject(value['conversation']) && isList(value['responses']) },
	{ id: 'google-ai-studio', isItem: (value) => isList(objectField(value, 'chunkedPrompt')['chunks']) },
	{ id: 'gemini-takeout', isItem: (value) => has('header', 'title', 'time')(value) && isList(value['products']) },
	{ id: 'gemini-cli', isItem: (value) => has('sessionId', 'projectHash')(value) && isList(value['messages']) },
	{ id: 'opencode', isItem: (value) => isJsonObject(value['info']) && isList(value['messages']) },
	{ id: 'loom', isItem: (value) => isList(objectField(value, 'root')['children']) }
];

/** The format of an item of an array, or of the one object of a file; null when the item does not tell. */
export function detectItem(value: unknown): Format | null {
	return isJsonObject(value) ? (formats.find((format) => format.isItem?.(value)) ?? null) : null;
}

/** The format of a JSONL file that holds this line; null when the line does not tell. */
export function detectLine(value: unknown): Format | null {
	return isJsonObject(value) ? (formats.find((format) => format.isLine?.(value)) ?? null) : null;
}

function isList(value: JsonValue | undefined): boolean {
	return Array.isArray(value);
}

function isOpenWebUiChat(value: JsonObject): boolean {
	return isJsonObject(objectField(value, 'history')['messages']);
}

function isClaudeCodeLine(value: JsonObject): boolean {
	if (typeof value['uuid'] === 'string') return has('parentUuid')(value) || has('sessionId')(value);
	return value['type'] === 'summary' && has('leafUuid')(value);
}

function isBigAgiConversation(value: JsonObject): boolean {
	return listField(value, 'messages').some((message) => isJsonObject(message) && isList(message['fragments']));
}
