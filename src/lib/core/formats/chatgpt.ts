// One conversation of a ChatGPT export as a thread: the whole tree, its current leaf, and what was left out.
// Pure and iterative; never throws on any JSON. Keeps FMT-10 to FMT-22.
import { isVisible, type AnswerStatus, type NodeContent } from '../domain/nodes.ts';
import { isJsonObject, type JsonObject } from '../std/json.ts';
import { messageToStep, type Step } from './chatgpt-steps.ts';
import { linkMapping, type LinkedNode, type LinkedTree } from './chatgpt-tree.ts';
import { createFindings } from './findings.ts';
import { numberField, objectField, stringField, toTimestamp } from './foreign-json.ts';
import type { ImportedNode, ImportOutcome } from './imported.ts';

export function isChatGptConversation(value: JsonObject): boolean {
	return isJsonObject(value['mapping']);
}

/**
 * The thread of one item of conversations.json. Findings of a refusal (`thread` null): `conversation-unreadable` when
 * there is no tree in it, `conversation-without-messages` when nothing in the tree can be seen.
 */
export function chatGptConversationToThread(raw: unknown): ImportOutcome {
	const findings = createFindings();
	if (!isJsonObject(raw) || !isJsonObject(raw['mapping'])) {
		findings.add('conversation-unreadable', isJsonObject(raw) ? nameOf(raw) : undefined);
		return { thread: null, findings: findings.list() };
	}
	const tree = linkMapping(raw['mapping'], findings);
	const steps = new Map(tree.nodes.map((node) => [node.id, messageToStep(node.message, findings)]));
	const { nodes, places } = placeNodes(tree, steps, stringField(raw, 'default_model_slug') ?? 'unknown');
	const firstSeen = nodes.find((node) => isVisible(node.content));
	if (firstSeen === undefined) {
		findings.add('conversation-without-messages', nameOf(raw));
		return { thread: null, findings: findings.list() };
	}

	const current = stringField(raw, 'current_node');
	const currentId = current === null ? null : tree.resolve(current);
	if (current !== null && currentId === null) findings.add('current-node-missing', current);
	const seenId = currentId === null ? null : (places.get(currentId)?.seenId ?? null);
	const newestSeen = nodes.findLast((node) => isVisible(node.content));

	const conversationId = stringField(raw, 'conversation_id') ?? stringField(raw, 'id') ?? '';
	return {
		thread: {
			// Without an id of its own, the first message names the conversation: it is the same at every export.
			externalId: `chatgpt:${conversationId || `message:${firstSeen.externalId}`}`,
			source: 'chatgpt',
			title: stringField(raw, 'title') ?? '',
			createdAt: secondsToTimestamp(raw, 'create_time'),
			updatedAt: secondsToTimestamp(raw, 'update_time'),
			archived: raw['is_archived'] === true,
			pinned: raw['is_starred'] === true || numberField(raw, 'pinned_time') !== null,
			leafExternalId: seenId ?? newestSeen?.externalId ?? null,
			nodes
		},
		findings: findings.list()
	};
}

/** A tool call further up in the same turn. */
interface OpenCall {
	readonly nodeId: string;
	readonly toolName: string;
	readonly previous: OpenCall | null;
}

/** What a node hands down to its children. */
interface Place {
	/** The nearest kept node, this one included. */
	readonly keptId: string | null;
	/** The nearest kept node that the thread view shows, this one included. */
	readonly seenId: string | null;
	/** Thinking that waits for the next answer. */
	readonly reasoning: string;
	readonly calls: OpenCall | null;
}

function placeNodes(tree: LinkedTree, steps: ReadonlyMap<string, Step>, defaultModel: string) {
	const root: Place = { keptId: null, seenId: null, reasoning: '', calls: null };
	const answered = findAnsweredThinking(tree, steps);
	const places = new Map<string, Place>();
	const nodes: ImportedNode[] = [];
	for (const node of tree.nodes) {
		const above = (node.parentId === null ? undefined : places.get(node.parentId)) ?? root;
		const step = steps.get(node.id);
		if (step === undefined || step.kind === 'skip') {
			places.set(node.id, above);
			continue;
		}
		if (step.kind === 'reasoning' && answered.has(node.id)) {
			places.set(node.id, { ...above, reasoning: joinReasoning(above.reasoning, step.text) });
			continue;
		}
		const content = stepToContent(node, step, above, defaultModel);
		nodes.push({
			externalId: node.id,
			parentExternalId: above.keptId,
			ts: node.message === null ? null : secondsToTimestamp(node.message, 'create_time'),
			content
		});
		const endsTurn = content.type === 'user_message' || content.type === 'assistant_message';
		const calls = step.kind === 'call' ? { nodeId: node.id, toolName: step.toolName, previous: above.calls } : above.calls;
		places.set(node.id, {
			keptId: node.id,
			seenId: isVisible(content) ? node.id : above.seenId,
			reasoning: endsTurn ? '' : above.reasoning,
			calls: endsTurn ? null : calls
		});
	}
	return { nodes, places };
}

/** Ids of the thinking nodes that an answer below takes in; the others, such as a cut answer, stand for themselves. */
function findAnsweredThinking(tree: LinkedTree, steps: ReadonlyMap<string, Step>): ReadonlySet<string> {
	const leadsToAnswer = new Set<string>();
	const answered = new Set<string>();
	for (let index = tree.nodes.length - 1; index >= 0; index--) {
		const node = tree.nodes[index];
		if (node === undefined) continue;
		const kind = steps.get(node.id)?.kind;
		if (kind === 'reasoning' && leadsToAnswer.has(node.id)) answered.add(node.id);
		const leads = kind === 'assistant' || kind === 'reasoning' || (kind !== 'user' && leadsToAnswer.has(node.id));
		if (leads && node.parentId !== null) leadsToAnswer.add(node.parentId);
	}
	return answered;
}

function stepToContent(node: LinkedNode, step: Exclude<Step, { kind: 'skip' }>, above: Place, defaultModel: string): NodeContent {
	const message = node.message ?? {};
	switch (step.kind) {
		case 'user':
			return { type: 'user_message', payload: { content: step.blocks } };
		case 'assistant':
		case 'reasoning': {
			const metadata = objectField(message, 'metadata');
			const reasoning = step.kind === 'reasoning' ? joinReasoning(above.reasoning, step.text) : above.reasoning;
			const stopReason = stringField(objectField(metadata, 'finish_details'), 'type');
			return {
				type: 'assistant_message',
				payload: {
					content: step.kind === 'assistant' ? step.blocks : [],
					model: stringField(metadata, 'model_slug') || defaultModel,
					connectionId: 'imported:chatgpt',
					status: step.kind === 'reasoning' ? 'interrupted' : toAnswerStatus(stringField(message, 'status')),
					...(reasoning !== '' && { reasoning }),
					...(stopReason !== null && { stopReason })
				}
			};
		}
		case 'call':
			return {
				type: 'tool_call',
				payload: { itemId: node.id, toolName: step.toolName, params: step.params, level: 'builtin' }
			};
		case 'result':
			return {
				type: 'tool_result',
				payload: {
					itemId: findCall(above.calls, step.toolName) ?? node.id,
					ok: step.ok,
					status: step.ok ? 'ok' : 'error',
					contentForLlm: step.blocks
				}
			};
		case 'custom':
			return { type: 'custom', payload: { customType: step.customType, data: step.data } };
		case 'unknown':
			return { type: 'unknown', payload: { originalType: 'chatgpt.message', raw: message } };
	}
}

/** The nearest call of the turn to this tool, else the nearest call; looks at 32 so that a long turn costs no square. */
function findCall(calls: OpenCall | null, toolName: string): string | null {
	let call = calls;
	for (let looked = 0; call !== null && looked < 32; looked++) {
		if (call.toolName === toolName) return call.nodeId;
		call = call.previous;
	}
	return calls?.nodeId ?? null;
}

function toAnswerStatus(status: string | null): AnswerStatus {
	if (status === 'error') return 'error';
	return status === 'in_progress' || status === 'finished_partial_completion' ? 'interrupted' : 'complete';
}

function joinReasoning(before: string, next: string): string {
	return before === '' ? next : `${before}\n\n${next}`;
}

/** Seconds, with a fraction or as text, as integer milliseconds. */
function secondsToTimestamp(object: JsonObject, key: string): number | null {
	const text = stringField(object, key);
	const seconds = text !== null && text.trim() !== '' ? Number(text) : numberField(object, key);
	return seconds === null ? null : toTimestamp(seconds * 1000);
}

function nameOf(conversation: JsonObject): string | undefined {
	return stringField(conversation, 'title') || stringField(conversation, 'conversation_id') || stringField(conversation, 'id') || undefined;
}
