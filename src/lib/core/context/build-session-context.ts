// From a branch to what the model receives: pure, iterative, the same bytes for the same path. SPEC.md CTX-01 to CTX-07.
import { textOf, type TreeNode, type TurnContextPayload } from '../domain/nodes.ts';
import type { ModelMessage } from './model.ts';

export interface SessionContext {
	readonly messages: readonly ModelMessage[];
	/** The newest turn context of the path; null before the first turn. */
	readonly turnContext: TurnContextPayload | null;
}

/** Asks a model to go on; sent, never stored. */
export const continueRequest =
	'Your last answer was cut off. Continue it from exactly where it stopped, in the same language and format, without repeating anything and without any preface.';

/** `path`: root first, as the tree gives it, tombstones and all. */
export function buildSessionContext(path: readonly TreeNode[]): SessionContext {
	let turnContext: TurnContextPayload | null = null;
	const messages: ModelMessage[] = [];
	for (const node of afterNewestCompaction(path)) {
		if (node.deleted) continue;
		if (node.type === 'turn_context') turnContext = node.payload;
		const message = messageOf(node);
		if (!message) continue;
		const last = messages.at(-1);
		const goesOn = node.type === 'assistant_message' && node.payload.continuesNodeId !== undefined;
		if (goesOn && last?.role === 'assistant' && message.role === 'assistant') {
			messages[messages.length - 1] = { ...last, content: [{ type: 'text', text: contentText(last) + contentText(message) }] };
		} else messages.push(message);
	}
	return { messages, turnContext };
}

function contentText(message: Extract<ModelMessage, { role: 'assistant' }>): string {
	return message.content.map((part) => part.text).join('');
}

/** The newest compaction of the path counts (T-057): its summary, what it kept, and what came after it. */
function afterNewestCompaction(path: readonly TreeNode[]): readonly TreeNode[] {
	const at = path.findLastIndex((node) => node.type === 'compaction' && node.deleted !== true);
	const compaction = path[at];
	if (compaction?.type !== 'compaction') return path;
	const keptFrom = path.findIndex((node) => node.id === compaction.payload.firstKeptEntryId);
	const kept = keptFrom >= 0 && keptFrom < at ? path.slice(keptFrom, at).filter((node) => node.type !== 'compaction') : [];
	return [compaction, ...kept, ...path.slice(at + 1)];
}

/** Null for what no model is told: notices, marks, changes, and tool steps of imported conversations, whose tools are not here. */
function messageOf(node: TreeNode): ModelMessage | null {
	switch (node.type) {
		case 'user_message':
			return says('user', textOf(node.payload.content));
		case 'assistant_message': {
			const message = says('assistant', textOf(node.payload.content));
			return message && node.payload.providerState !== undefined ? { ...message, providerState: node.payload.providerState } : message;
		}
		case 'custom_message':
			return says('user', textOf(node.payload.content));
		case 'compaction':
			return says('user', `Summary of the earlier conversation:\n\n${node.payload.summary}`);
		case 'branch_summary':
			return says('user', `Summary of another branch of this conversation:\n\n${node.payload.summary}`);
		case 'tool_call':
		case 'tool_result':
		case 'approval_decision':
		case 'interaction_response':
		case 'turn_context':
		case 'system_notice':
		case 'custom':
		case 'model_change':
		case 'thinking_level_change':
		case 'active_tools_change':
		case 'session_info':
		case 'label':
		case 'unknown':
			return null;
	}
}

/** No provider takes an empty message. */
function says<R extends 'user' | 'assistant'>(
	role: R,
	text: string
): { role: R; content: readonly [{ type: 'text'; text: string }] } | null {
	return text === '' ? null : { role, content: [{ type: 'text', text }] };
}
