// Every type of node as one union of schemas: what is stored, brought in and sent to other devices is held to it. SPEC.md PRO-05.
import * as z from 'zod/mini';
import type { ContentBlock, NodeContent, NodePayloads, NodeType, Usage } from '../domain/nodes.ts';
import type { JsonValue } from '../std/json.ts';
import './command.ts';

/** Any JSON: it came from a parser or the structured clone, which give nothing else, and its depth was measured there. */
const json = z.custom<JsonValue>((value) => value !== undefined);
const optional = z.exactOptional;
const texts = z.readonly(z.array(z.string()));
/** A whole number of tokens, or null where nobody counted. */
const tokens = z.nullable(z.number());

const block: z.ZodMiniType<ContentBlock, ContentBlock> = z.discriminatedUnion('type', [
	z.looseObject({ type: z.literal('text'), text: z.string() }),
	z.looseObject({
		type: z.literal('attachment'),
		attachmentId: z.string(),
		kind: z.enum(['image', 'file']),
		name: z.string(),
		mime: z.string()
	}),
	z.looseObject({ type: z.literal('missing'), kind: z.string(), name: z.string() }),
	z.looseObject({ type: z.literal('unknown'), raw: json })
]);
const blocks = z.readonly(z.array(block));

const usage: z.ZodMiniType<Usage, Usage> = z.looseObject({
	inputTokens: tokens,
	outputTokens: tokens,
	cachedInputTokens: optional(z.number()),
	reasoningTokens: optional(z.number()),
	costUsd: optional(z.number())
});

/** Fields that a newer version added are let through: what is kept is kept whole. */
const payloads: { readonly [T in NodeType]: z.ZodMiniType<NodePayloads[T], NodePayloads[T]> } = {
	user_message: z.looseObject({ content: blocks, attachedContext: optional(blocks), steered: optional(z.literal(true)) }),
	assistant_message: z.looseObject({
		content: blocks,
		model: z.string(),
		connectionId: z.string(),
		status: z.enum(['complete', 'stopped', 'interrupted', 'error']),
		turnId: optional(z.string()),
		reasoning: optional(z.string()),
		providerState: optional(json),
		usage: optional(usage),
		stopReason: optional(z.string()),
		errorCode: optional(z.string()),
		continuesNodeId: optional(z.string()),
		durationMs: optional(z.number())
	}),
	tool_call: z.looseObject({
		itemId: z.string(),
		toolName: z.string(),
		params: json,
		level: z.enum(['L0', 'L1', 'L2', 'mcp', 'builtin'])
	}),
	tool_result: z.looseObject({
		itemId: z.string(),
		ok: z.boolean(),
		status: z.enum(['ok', 'error', 'denied', 'aborted']),
		contentForLlm: blocks,
		details: optional(json)
	}),
	approval_decision: z.looseObject({ approvalId: z.string(), request: json, decision: json, ts: z.number() }),
	interaction_response: z.looseObject({ interactionId: z.string(), request: json, response: json, respondedAt: z.number() }),
	turn_context: z.looseObject({
		turnId: z.string(),
		connectionId: z.string(),
		model: z.string(),
		permissionPolicy: z.enum(['inherit', 'always', 'ask', 'accept-edits', 'auto']),
		activeSkills: texts,
		locale: optional(z.string())
	}),
	system_notice: z.looseObject({ code: z.string(), data: optional(json) }),
	custom_message: z.looseObject({ customType: z.string(), content: blocks, display: z.boolean(), details: optional(json) }),
	custom: z.looseObject({ customType: z.string(), data: optional(json) }),
	model_change: z.looseObject({ provider: z.string(), modelId: z.string() }),
	thinking_level_change: z.looseObject({ thinkingLevel: z.string() }),
	active_tools_change: z.looseObject({ activeToolNames: texts }),
	session_info: z.looseObject({ name: z.string() }),
	label: z.looseObject({ targetId: z.string(), label: z.nullable(z.string()) }),
	compaction: z.looseObject({
		summary: z.string(),
		firstKeptEntryId: optional(z.string()),
		throughNodeId: optional(z.string()),
		retainedTail: optional(json),
		tokensBefore: tokens,
		tokensAfter: optional(z.number()),
		usage: optional(usage),
		details: optional(json)
	}),
	branch_summary: z.looseObject({
		fromId: z.nullable(z.string()),
		branchPointId: optional(z.string()),
		summary: z.string(),
		usage: optional(usage),
		details: optional(json)
	}),
	unknown: z.looseObject({ originalType: z.string(), raw: json })
};

const member = <T extends NodeType>(type: T) => z.object({ type: z.literal(type), payload: payloads[type] });

/** A type and its payload. A type that this version does not know is `unknown` with what it came as (D-308). */
export const nodeContentSchema = z.discriminatedUnion('type', [
	member('user_message'),
	member('assistant_message'),
	member('tool_call'),
	member('tool_result'),
	member('approval_decision'),
	member('interaction_response'),
	member('turn_context'),
	member('system_notice'),
	member('custom_message'),
	member('custom'),
	member('model_change'),
	member('thinking_level_change'),
	member('active_tools_change'),
	member('session_info'),
	member('label'),
	member('compaction'),
	member('branch_summary'),
	member('unknown')
]);

/** The content as it may be stored: what is not what its type promises is kept whole as `unknown`, never dropped. */
export function storableContent(content: { readonly type: string; readonly payload: unknown }): NodeContent {
	if (nodeContentSchema.safeParse(content).success) return content as NodeContent;
	return { type: 'unknown', payload: { originalType: content.type, raw: (content.payload ?? null) as JsonValue } };
}
