// What a conversation is made of: every type of node, its payload, and the classes that the rest of the code asks about.
// Stored shapes keep the names of the data model they come from (`ts`, `createdAt`): integer Unix milliseconds.
import type { JsonValue } from '../std/json.ts';
import type { AttachmentId, ConnectionId, NodeId, Stamp, ThreadId, TurnId } from './ids.ts';

/** A piece of a message. The set is open: kinds of a newer version or another tool are kept as `unknown` (D-183, D-308). */
export type ContentBlock =
	| { readonly type: 'text'; readonly text: string }
	| {
			readonly type: 'attachment';
			readonly attachmentId: AttachmentId;
			readonly kind: 'image' | 'file';
			readonly name: string;
			readonly mime: string;
	  }
	/** Something another tool stored and whose bytes did not come along, such as an image of an export. */
	| { readonly type: 'missing'; readonly kind: string; readonly name: string }
	| { readonly type: 'unknown'; readonly raw: JsonValue };

/** Tokens as the provider counted them; `inputTokens` includes cache reads and writes (E-18). Null: the provider did not say. */
export interface Usage {
	readonly inputTokens: number | null;
	readonly outputTokens: number | null;
	readonly cachedInputTokens?: number;
	readonly reasoningTokens?: number;
	readonly costUsd?: number;
}

/** How an answer ended. `stopped`: by the person; `interrupted`: the engine died; `error`: the provider failed midway. */
export type AnswerStatus = 'complete' | 'stopped' | 'interrupted' | 'error';

export interface UserMessagePayload {
	readonly content: readonly ContentBlock[];
	readonly attachedContext?: readonly ContentBlock[];
	readonly steered?: true;
}

export interface AssistantMessagePayload {
	readonly content: readonly ContentBlock[];
	readonly model: string;
	readonly connectionId: ConnectionId;
	readonly status: AnswerStatus;
	readonly turnId?: TurnId;
	/** Thinking that may be shown; never searched, never sent back as such (D-188). */
	readonly reasoning?: string;
	/** What the provider wants replayed verbatim, opaque to us (P-050). */
	readonly providerState?: JsonValue;
	readonly usage?: Usage;
	readonly stopReason?: string;
	/** A code of the message catalogue, with `status: 'error'`. */
	readonly errorCode?: string;
	/** The cut answer that this one goes on with; shown as one message. */
	readonly continuesNodeId?: NodeId;
	readonly durationMs?: number;
}

export interface ToolCallPayload {
	readonly itemId: string;
	readonly toolName: string;
	readonly params: JsonValue;
	readonly level: 'L0' | 'L1' | 'L2' | 'mcp' | 'builtin';
}

export interface ToolResultPayload {
	readonly itemId: string;
	readonly ok: boolean;
	readonly status: 'ok' | 'error' | 'denied' | 'aborted';
	readonly contentForLlm: readonly ContentBlock[];
	readonly details?: JsonValue;
}

export interface TurnContextPayload {
	readonly turnId: TurnId;
	readonly connectionId: ConnectionId;
	readonly model: string;
	readonly permissionPolicy: 'inherit' | 'always' | 'ask' | 'accept-edits' | 'auto';
	readonly activeSkills: readonly string[];
	/** The language of the interface when the turn began, for agents that answer in it. */
	readonly locale?: string;
}

export interface CompactionPayload {
	readonly summary: string;
	readonly firstKeptEntryId?: NodeId;
	readonly throughNodeId?: NodeId;
	readonly retainedTail?: JsonValue;
	readonly tokensBefore: number | null;
	readonly tokensAfter?: number;
	readonly usage?: Usage;
	readonly details?: JsonValue;
}

export interface BranchSummaryPayload {
	/** The abandoned leaf (C-11). */
	readonly fromId: NodeId | null;
	readonly branchPointId?: NodeId;
	readonly summary: string;
	readonly usage?: Usage;
	readonly details?: JsonValue;
}

/** Every node type of seeds 000 and 003 and its payload (P-036..P-046, T-009..T-023). */
export interface NodePayloads {
	readonly user_message: UserMessagePayload;
	readonly assistant_message: AssistantMessagePayload;
	readonly tool_call: ToolCallPayload;
	readonly tool_result: ToolResultPayload;
	readonly approval_decision: {
		readonly approvalId: string;
		readonly request: JsonValue;
		readonly decision: JsonValue;
		readonly ts: number;
	};
	readonly interaction_response: {
		readonly interactionId: string;
		readonly request: JsonValue;
		readonly response: JsonValue;
		readonly respondedAt: number;
	};
	readonly turn_context: TurnContextPayload;
	/** Shown to the person, never to the model (P-046). `code` names a text of the message catalogue. */
	readonly system_notice: { readonly code: string; readonly data?: JsonValue };
	readonly custom_message: {
		readonly customType: string;
		readonly content: readonly ContentBlock[];
		readonly display: boolean;
		readonly details?: JsonValue;
	};
	readonly custom: { readonly customType: string; readonly data?: JsonValue };
	readonly model_change: { readonly provider: string; readonly modelId: string };
	readonly thinking_level_change: { readonly thinkingLevel: string };
	readonly active_tools_change: { readonly activeToolNames: readonly string[] };
	readonly session_info: { readonly name: string };
	/** The newest label of a target wins; null clears it (T-016, E-55). */
	readonly label: { readonly targetId: NodeId; readonly label: string | null };
	readonly compaction: CompactionPayload;
	readonly branch_summary: BranchSummaryPayload;
	/** A type of a newer version or another tool: kept whole, shown as unknown, exported again. */
	readonly unknown: { readonly originalType: string; readonly raw: JsonValue };
}

export type NodeType = keyof NodePayloads;

/** A type and its payload, before the tree gave it a place. */
export type NodeContent = { readonly [T in NodeType]: { readonly type: T; readonly payload: NodePayloads[T] } }[NodeType];

/** Where a node stands. Nothing here but `deleted` and `evicted` ever changes (P-004, P-007). */
export interface NodePlace {
	readonly id: NodeId;
	readonly threadId: ThreadId;
	/** Null for a root (P-037). */
	readonly parentId: NodeId | null;
	/** Order of arrival on this device, from the thread's counter (P-038, C-09). */
	readonly seq: number;
	readonly ts: number;
	/** The same order on every device (sync 2.2, 2.6). */
	readonly ord: Stamp;
	/** Id of the first node of the unbranched chain that this node is in; a hint of locality, the parent chain is the truth. */
	readonly segmentId: NodeId;
	/** Number of ancestors. */
	readonly depth: number;
	/** Only on the first node of a segment: the segment it left, `root` for a root. Sparse, so that the forks of a segment are one range read. */
	readonly forkSegmentId?: NodeId;
	/** Tombstone: the children count as the grandparent's (P-080..P-082). */
	readonly deleted?: true;
	readonly deletedOrd?: Stamp;
	readonly evicted?: true;
	/** The node that this one is a copy of; it may be gone by now. */
	readonly copiedFrom?: { readonly threadId: ThreadId; readonly nodeId: NodeId };
	/** The id in the tool it was imported from, such as `chatgpt:<conversation>:<node>`. */
	readonly externalId?: string;
}

export type TreeNode = NodePlace & NodeContent;
export type NodeOf<T extends NodeType> = NodePlace & { readonly type: T; readonly payload: NodePayloads[T] };

/**
 * Types that stand in the chain without being seen: siblings are counted through them (E-26, S-9), the cursor of an
 * import never rests on them (C-06), and the thread view leaves them out.
 */
const transparentTypes: ReadonlySet<NodeType> = new Set([
	'turn_context',
	'approval_decision',
	'interaction_response',
	'custom',
	'model_change',
	'thinking_level_change',
	'active_tools_change',
	'session_info',
	'label'
]);

/** True when the thread view shows the node and the branch switcher counts it. A tombstone is never visible. */
export function isVisible(node: Pick<TreeNode, 'type' | 'deleted'>): boolean {
	return node.deleted !== true && !transparentTypes.has(node.type);
}

/** The text of a message as a person reads it; blocks that are no text are left out. */
export function textOf(content: readonly ContentBlock[]): string {
	return content
		.filter((block) => block.type === 'text')
		.map((block) => block.text)
		.join('\n\n');
}

/** Fields that are a list, or a text, in every payload of their type. */
const expectedFields: Partial<Readonly<Record<NodeType, readonly [field: string, kind: 'list' | 'text']>>> = {
	user_message: ['content', 'list'],
	assistant_message: ['content', 'list'],
	custom_message: ['content', 'list'],
	tool_result: ['contentForLlm', 'list'],
	compaction: ['summary', 'text'],
	branch_summary: ['summary', 'text'],
	system_notice: ['code', 'text']
};

/** Whether it has what every block has, and a text if it is one. */
function isBlock(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	const { type, text } = value as Readonly<Record<string, unknown>>;
	return typeof type === 'string' && (type !== 'text' || typeof text === 'string');
}

/** The node as a reader can bear it: one whose payload is not what its type promises is shown as unknown, with all that it holds. */
export function readable(node: TreeNode): TreeNode {
	// A type of the future may have the name of something that every object has.
	const expected = Object.hasOwn(expectedFields, node.type) ? expectedFields[node.type] : undefined;
	if (!expected) return node;
	const [field, kind] = expected;
	// What is stored may come from a damaged file, whatever its type says.
	const payload = node.payload as Readonly<Record<string, unknown>> | null | undefined;
	const value = payload?.[field];
	if (kind === 'list' ? Array.isArray(value) && value.every(isBlock) : typeof value === 'string') return node;
	return { ...node, type: 'unknown', payload: { originalType: node.type, raw: (payload ?? null) as JsonValue } };
}
