import { describe, expect, it } from 'vitest';
import type { NodePayloads, NodeType } from '../domain/nodes.ts';
import { nodeContentSchema, storableContent } from './node-content.ts';

const usage = { inputTokens: 1, outputTokens: null, cachedInputTokens: 1, reasoningTokens: 1, costUsd: 0.5 };
const json = { any: ['thing', null, 1] };
const content = [
	{ type: 'text', text: 'words' },
	{ type: 'attachment', attachmentId: 'a', kind: 'image', name: 'n', mime: 'm' },
	{ type: 'missing', kind: 'image', name: 'n' },
	{ type: 'unknown', raw: json }
] as const;

/** Every type with every field that it may have. */
const full: { readonly [T in NodeType]: Required<NodePayloads[T]> } = {
	user_message: { content, attachedContext: content, steered: true },
	assistant_message: {
		content,
		model: 'm',
		connectionId: 'c',
		status: 'complete',
		turnId: 't',
		reasoning: 'r',
		providerState: json,
		usage,
		stopReason: 's',
		errorCode: 'e',
		continuesNodeId: 'n',
		durationMs: 1
	},
	tool_call: { itemId: 'i', toolName: 't', params: json, level: 'L0' },
	tool_result: { itemId: 'i', ok: true, status: 'ok', contentForLlm: content, details: json },
	approval_decision: { approvalId: 'a', request: json, decision: json, ts: 1 },
	interaction_response: { interactionId: 'i', request: json, response: json, respondedAt: 1 },
	turn_context: { turnId: 't', connectionId: 'c', model: 'm', permissionPolicy: 'ask', activeSkills: ['s'], locale: 'en' },
	system_notice: { code: 'c', data: json },
	custom_message: { customType: 'c', content, display: true, details: json },
	custom: { customType: 'c', data: json },
	model_change: { provider: 'p', modelId: 'm' },
	thinking_level_change: { thinkingLevel: 'high' },
	active_tools_change: { activeToolNames: ['read'] },
	session_info: { name: 'n' },
	label: { targetId: 't', label: null },
	compaction: {
		summary: 's',
		firstKeptEntryId: 'f',
		throughNodeId: 't',
		retainedTail: json,
		tokensBefore: null,
		tokensAfter: 1,
		usage,
		details: json
	},
	branch_summary: { fromId: null, branchPointId: 'b', summary: 's', usage, details: json },
	unknown: { originalType: 'hologram', raw: json }
};

describe('the types of nodes', () => {
	it.each(Object.entries(full))('PRO-05: a whole %s passes, and fails with any field that is wrong', (type, payload) => {
		expect(nodeContentSchema.safeParse({ type, payload }).success).toBe(true);
		for (const field of Object.keys(payload))
			expect([field, nodeContentSchema.safeParse({ type, payload: { ...payload, [field]: undefined } }).success]).toEqual([field, false]);
	});

	it('PRO-05: what is no payload of its type, and a type of a newer version, are kept whole as unknown; added fields stay', () => {
		const kept = (type: string, payload: unknown) => storableContent({ type, payload });
		expect(kept('hologram', json)).toEqual({ type: 'unknown', payload: { originalType: 'hologram', raw: json } });
		expect(kept('user_message', null)).toEqual({ type: 'unknown', payload: { originalType: 'user_message', raw: null } });
		expect(kept('user_message', { content: 'words' })).toEqual({
			type: 'unknown',
			payload: { originalType: 'user_message', raw: { content: 'words' } }
		});
		const newer = { ...full.label, colour: 'green' };
		expect(kept('label', newer)).toEqual({ type: 'label', payload: newer });
		expect(kept('unknown', full.unknown)).toEqual({ type: 'unknown', payload: full.unknown });
	});
});
