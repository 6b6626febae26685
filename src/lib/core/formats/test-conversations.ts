// Builds conversations and sessions in the shapes of other tools, for the tests of this folder and of its readers.
import type { JsonObject, JsonValue } from '../std/json.ts';
import type { ImportedNode, ImportedThread, ImportOutcome } from './imported.ts';

export interface MessageOptions {
	readonly role?: string;
	readonly parent?: string | null;
	readonly content?: JsonValue;
	readonly metadata?: JsonObject;
	readonly more?: JsonObject;
}

/** One entry of a ChatGPT mapping; its text is its id unless `content` says otherwise. */
export function mappingNode(
	id: string,
	{ role = 'user', parent = null, content, metadata = {}, more = {} }: MessageOptions = {}
): JsonObject {
	const message = { id, author: { role }, content: content ?? { content_type: 'text', parts: [id] }, metadata, recipient: 'all', ...more };
	return { id, parent, children: [], message };
}

export function chatGptConversation(nodes: readonly JsonObject[], more: JsonObject = {}): JsonObject {
	const mapping = Object.fromEntries(nodes.map((node) => [String(node['id']), node]));
	return { id: 'c', title: 'Garden', mapping, ...more };
}

export function piHeader(more: JsonObject = {}): string {
	return JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/home', ...more });
}

export function piEntry(id: string, parentId: string | null, fields: JsonObject): string {
	return JSON.stringify({ id, parentId, timestamp: '2026-01-02T03:04:06.000Z', ...fields });
}

export function piUser(id: string, parentId: string | null): string {
	return piEntry(id, parentId, { type: 'message', message: { role: 'user', content: id } });
}

export function piAssistant(id: string, parentId: string | null, content: readonly JsonValue[], more: JsonObject = {}): string {
	return piEntry(id, parentId, { type: 'message', message: { role: 'assistant', content, model: 'm', ...more } });
}

export function threadOf(outcome: ImportOutcome | undefined): ImportedThread {
	if (!outcome?.thread) throw new Error(`no thread: ${JSON.stringify(outcome?.findings)}`);
	return outcome.thread;
}

/** `parent>id` of every node, in order. */
export function edges(thread: ImportedThread): string[] {
	return thread.nodes.map((node) => `${node.parentExternalId ?? ''}>${node.externalId}`);
}

export function contentOf(thread: ImportedThread, id: string): ImportedNode['content'] | undefined {
	return thread.nodes.find((node) => node.externalId === id)?.content;
}

export function codes(outcome: ImportOutcome): string[] {
	return outcome.findings.map((finding) => `${finding.code} ${finding.count}`);
}
