// One entry of a pi session as our nodes. Runs anywhere. Keeps FMT-33 to FMT-38.
import type { AnswerStatus, AssistantMessagePayload, ContentBlock, NodeContent, Usage } from '../domain/nodes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../std/json.ts';
import type { Findings } from './findings.ts';
import { isJsonList, listField, numberField, objectField, stringField } from './foreign-json.ts';

/** What an entry needs to know of the lines before it. */
export interface PiReferences {
	/** The node that stands for an entry of the file; null when there is none before this line. */
	nodeOf(entryId: string): string | null;
	/** A name for a call that no other call of the thread bears; results find it by the call's own id. */
	openCall(callId: string | null, index: number): string;
	/** The call that a result with this id answers; null when no call before it has that id. */
	answeredCall(callId: string): string | null;
}

/** The nodes of one entry, each the parent of the next. An assistant's tool calls follow its message. */
export function piEntryToContents(entry: JsonObject, references: PiReferences, findings: Findings): readonly NodeContent[] {
	const customType = stringField(entry, 'customType') ?? '';
	switch (stringField(entry, 'type')) {
		case 'message':
			return messageToContents(entry, references, findings);
		case 'model_change': {
			const payload = { provider: stringField(entry, 'provider') ?? '', modelId: stringField(entry, 'modelId') ?? '' };
			return [{ type: 'model_change', payload }];
		}
		case 'thinking_level_change':
			return [{ type: 'thinking_level_change', payload: { thinkingLevel: stringField(entry, 'thinkingLevel') ?? '' } }];
		case 'active_tools_change': {
			const names = listField(entry, 'activeToolNames').filter((name) => typeof name === 'string');
			return [{ type: 'active_tools_change', payload: { activeToolNames: names } }];
		}
		case 'compaction':
			return [toCompaction(entry, references, findings)];
		case 'branch_summary':
			return [toBranchSummary(entry, references)];
		case 'custom':
			return [{ type: 'custom', payload: { customType, ...optional(entry, 'data') } }];
		case 'custom_message':
			return [toCustomMessage(entry, findings)];
		case 'label': {
			const targetId = references.nodeOf(stringField(entry, 'targetId') ?? '');
			if (targetId === null) return [toUnknown(entry, findings)];
			return [{ type: 'label', payload: { targetId, label: stringField(entry, 'label')?.trim() || null } }];
		}
		case 'session_info':
			return [{ type: 'session_info', payload: { name: stringField(entry, 'name')?.trim() ?? '' } }];
		default:
			return [toUnknown(entry, findings)];
	}
}

function messageToContents(entry: JsonObject, references: PiReferences, findings: Findings): readonly NodeContent[] {
	const message = objectField(entry, 'message');
	switch (stringField(message, 'role')) {
		case 'user':
			return [{ type: 'user_message', payload: { content: toBlocks(message['content'], findings) } }];
		case 'assistant':
			return assistantToContents(message, references, findings);
		case 'toolResult': {
			const callId = stringField(message, 'toolCallId') ?? '';
			const failed = message['isError'] === true;
			return [
				{
					type: 'tool_result',
					payload: {
						itemId: references.answeredCall(callId) ?? callId,
						ok: !failed,
						status: failed ? 'error' : 'ok',
						contentForLlm: toBlocks(message['content'], findings),
						...optional(message, 'details')
					}
				}
			];
		}
		case 'bashExecution':
			return [toBashExecution(message)];
		case 'custom':
		case 'hookMessage':
			return [toCustomMessage(message, findings)];
		case 'branchSummary':
			return [toBranchSummary(message, references)];
		case 'compactionSummary':
			return [toCompaction(message, references, findings)];
		default:
			return [toUnknown(entry, findings)];
	}
}

function assistantToContents(message: JsonObject, references: PiReferences, findings: Findings): readonly NodeContent[] {
	const content: ContentBlock[] = [];
	const thinking: string[] = [];
	const calls: NodeContent[] = [];
	for (const block of typeof message['content'] === 'string' ? [message['content']] : listField(message, 'content')) {
		const type = isJsonObject(block) ? stringField(block, 'type') : null;
		if (isJsonObject(block) && type === 'thinking') thinking.push(stringField(block, 'thinking') ?? '');
		else if (isJsonObject(block) && type === 'toolCall') {
			calls.push({
				type: 'tool_call',
				payload: {
					itemId: references.openCall(stringField(block, 'id'), calls.length + 1),
					toolName: stringField(block, 'name') ?? '',
					params: block['arguments'] ?? {},
					level: 'builtin'
				}
			});
		} else content.push(...toBlocks([block], findings));
	}
	const stopReason = stringField(message, 'stopReason');
	const usage = toUsage(message);
	const reasoning = thinking.filter((part) => part.trim() !== '').join('\n\n');
	const errorMessage = stringField(message, 'errorMessage');
	if (errorMessage !== null) content.push({ type: 'unknown', raw: { type: 'error', errorMessage } });
	const payload: AssistantMessagePayload = {
		content,
		model: stringField(message, 'model') || 'unknown',
		connectionId: 'imported:pi',
		status: toAnswerStatus(stopReason),
		...(reasoning !== '' && { reasoning }),
		...(usage !== null && { usage }),
		...(stopReason !== null && { stopReason })
	};
	return [{ type: 'assistant_message', payload }, ...calls];
}

function toAnswerStatus(stopReason: string | null): AnswerStatus {
	if (stopReason === 'aborted') return 'stopped';
	return stopReason === 'error' ? 'error' : 'complete';
}

/** Our input counts cache reads and writes too (E-18); pi counts them apart. Null when the message has no usage. */
function toUsage(message: JsonObject): Usage | null {
	const usage = message['usage'];
	if (!isJsonObject(usage)) return null;
	const input = numberField(usage, 'input');
	const cacheRead = numberField(usage, 'cacheRead');
	const costUsd = numberField(objectField(usage, 'cost'), 'total');
	return {
		inputTokens: input === null ? null : input + (cacheRead ?? 0) + (numberField(usage, 'cacheWrite') ?? 0),
		outputTokens: numberField(usage, 'output'),
		...(cacheRead !== null && { cachedInputTokens: cacheRead }),
		...(costUsd !== null && { costUsd })
	};
}

/** What the person ran; kept from the model where pi kept it from the model. */
function toBashExecution(message: JsonObject): NodeContent {
	const customType = 'pi.bash-execution';
	if (message['excludeFromContext'] === true) return { type: 'custom', payload: { customType, data: message } };
	const text = `$ ${stringField(message, 'command') ?? ''}\n${stringField(message, 'output') ?? ''}`;
	return { type: 'custom_message', payload: { customType, content: [{ type: 'text', text }], display: true, details: message } };
}

function toCustomMessage(source: JsonObject, findings: Findings): NodeContent {
	return {
		type: 'custom_message',
		payload: {
			customType: stringField(source, 'customType') ?? '',
			content: toBlocks(source['content'], findings),
			display: source['display'] !== false,
			...optional(source, 'details')
		}
	};
}

function toCompaction(source: JsonObject, references: PiReferences, findings: Findings): NodeContent {
	const keptFrom = stringField(source, 'firstKeptEntryId');
	const firstKeptEntryId = keptFrom === null ? null : references.nodeOf(keptFrom);
	if (keptFrom !== null && firstKeptEntryId === null) findings.add('missing-parent', keptFrom);
	const usage = toUsage(source);
	return {
		type: 'compaction',
		payload: {
			summary: stringField(source, 'summary') ?? '',
			tokensBefore: numberField(source, 'tokensBefore'),
			...(firstKeptEntryId !== null && { firstKeptEntryId }),
			...optional(source, 'retainedTail'),
			...(usage !== null && { usage }),
			...optional(source, 'details')
		}
	};
}

function toBranchSummary(source: JsonObject, references: PiReferences): NodeContent {
	const usage = toUsage(source);
	return {
		type: 'branch_summary',
		payload: {
			fromId: references.nodeOf(stringField(source, 'fromId') ?? ''),
			summary: stringField(source, 'summary') ?? '',
			...(usage !== null && { usage }),
			...optional(source, 'details')
		}
	};
}

function toUnknown(entry: JsonObject, findings: Findings): NodeContent {
	const originalType = stringField(entry, 'type') ?? '';
	findings.add('unknown-content-kept', stringField(entry, 'id') ?? originalType);
	return { type: 'unknown', payload: { originalType, raw: entry } };
}

/** Text as text; whatever else a message holds is kept whole. */
function toBlocks(content: JsonValue | undefined, findings: Findings): readonly ContentBlock[] {
	if (content === undefined || content === null) return [];
	const blocks: ContentBlock[] = [];
	for (const part of isJsonList(content) ? content : [content]) {
		const text = typeof part === 'string' ? part : isJsonObject(part) && part['type'] === 'text' ? stringField(part, 'text') : null;
		if (text === '') continue;
		if (text !== null) blocks.push({ type: 'text', text });
		else {
			findings.add('unknown-content-kept', isJsonObject(part) ? (stringField(part, 'type') ?? undefined) : undefined);
			blocks.push({ type: 'unknown', raw: part });
		}
	}
	return blocks;
}

/** The field under its own name, or nothing where the tool left it out. */
function optional<K extends string>(source: JsonObject, key: K): { readonly [P in K]?: JsonValue } {
	const value = source[key];
	const field: { [P in K]?: JsonValue } = {};
	if (value !== undefined) field[key] = value;
	return field;
}
