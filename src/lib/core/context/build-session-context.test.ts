import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf, type NodeContent, type TreeNode } from '../domain/nodes.ts';
import { randomTree } from '../domain/test-trees.ts';
import { pathTo, treeOf } from '../domain/tree.ts';
import { buildSessionContext } from './build-session-context.ts';

const says = (text: string) => [{ type: 'text' as const, text }];
const user = (text: string): NodeContent => ({ type: 'user_message', payload: { content: says(text) } });
const answer = (text: string, more: object = {}): NodeContent => ({
	type: 'assistant_message',
	payload: { content: says(text), model: 'm', connectionId: 'c', status: 'complete', ...more }
});
const compaction = (summary: string, firstKeptEntryId?: string): NodeContent => ({
	type: 'compaction',
	payload: { summary, tokensBefore: 1, ...(firstKeptEntryId === undefined ? {} : { firstKeptEntryId }) }
});

/** A chain of nodes n0, n1, … */
function chain(...contents: readonly (NodeContent | (NodeContent & { readonly deleted: true }))[]): TreeNode[] {
	return contents.map((content, at) => ({
		id: `n${at}`,
		threadId: 't',
		parentId: at === 0 ? null : `n${at - 1}`,
		seq: at + 1,
		ts: at,
		ord: '',
		segmentId: 'n0',
		depth: at,
		...content
	}));
}

const spoken = (path: readonly TreeNode[]) =>
	buildSessionContext(path).messages.map((message) => `${message.role}: ${textOf(message.content)}`);

describe('buildSessionContext', () => {
	it('CTX-01: the path, root first', () => {
		expect(buildSessionContext(chain(user('q'), answer('a'), user('q2'))).messages).toEqual([
			{ role: 'user', content: says('q') },
			{ role: 'assistant', content: says('a') },
			{ role: 'user', content: says('q2') }
		]);
		expect(buildSessionContext([])).toEqual({ messages: [], turnContext: null });
	});

	it('CTX-01: exactly the living messages of the path, in any tree', () => {
		fc.assert(
			fc.property(randomTree, fc.nat(1_000), (nodes, at) => {
				const path = pathTo(treeOf(nodes), nodes[at % nodes.length]?.id ?? null);
				const expected = path.filter((node) => node.type === 'user_message' && !node.deleted).length;
				expect(buildSessionContext(path).messages.length).toBe(expected);
			})
		);
	});

	it('CTX-02: a deleted answer takes nothing else along', () => {
		expect(spoken(chain(user('q'), { ...answer('a'), deleted: true }, user('q2'), answer('a2')))).toEqual([
			'user: q',
			'user: q2',
			'assistant: a2'
		]);
	});

	it('CTX-03: what is not said to a model', () => {
		const silent: NodeContent[] = [
			{ type: 'system_notice', payload: { code: 'c' } },
			{ type: 'approval_decision', payload: { approvalId: 'a', request: 'canary', decision: 'canary', ts: 1 } },
			{ type: 'interaction_response', payload: { interactionId: 'i', request: 'canary', response: 'canary', respondedAt: 1 } },
			{ type: 'tool_call', payload: { itemId: 'i', toolName: 'canary', params: {}, level: 'L0' } },
			{ type: 'tool_result', payload: { itemId: 'i', ok: true, status: 'ok', contentForLlm: says('canary') } },
			{ type: 'custom', payload: { customType: 'canary' } },
			{ type: 'model_change', payload: { provider: 'canary', modelId: 'm' } },
			{ type: 'thinking_level_change', payload: { thinkingLevel: 'canary' } },
			{ type: 'active_tools_change', payload: { activeToolNames: ['canary'] } },
			{ type: 'session_info', payload: { name: 'canary' } },
			{ type: 'label', payload: { targetId: 'n0', label: 'canary' } },
			{ type: 'unknown', payload: { originalType: 'canary', raw: {} } }
		];
		const context = buildSessionContext(chain(user('q'), ...silent, answer('a', { reasoning: 'canary' })));
		expect(context.messages.length).toBe(2);
		expect(JSON.stringify(context)).not.toContain('canary');
	});

	it('CTX-03: what speaks for the person is said as the person', () => {
		const custom: NodeContent = { type: 'custom_message', payload: { customType: 'c', content: says('from a tool'), display: false } };
		const summary: NodeContent = { type: 'branch_summary', payload: { fromId: null, summary: 'the other way' } };
		expect(spoken(chain(custom, summary))).toEqual([
			'user: from a tool',
			'user: Summary of another branch of this conversation:\n\nthe other way'
		]);
	});

	it('CTX-04: the newest living compaction, what it kept, and what came after', () => {
		const path = chain(user('one'), answer('two'), compaction('first', 'n1'), user('three'), compaction('second', 'n1'), user('four'));
		const summary = 'user: Summary of the earlier conversation:\n\nsecond';
		expect(spoken(path)).toEqual([summary, 'assistant: two', 'user: three', 'user: four']);
		const undone = path.map((node) => (node.id === 'n4' ? { ...node, deleted: true as const } : node));
		expect(spoken(undone)).toEqual(['user: Summary of the earlier conversation:\n\nfirst', 'assistant: two', 'user: three', 'user: four']);
	});

	it.each([['nobody'], ['n3'], [undefined]])('CTX-04: a compaction that kept nothing before it (%s)', (firstKept) => {
		expect(spoken(chain(user('one'), compaction('so far', firstKept), user('two'), user('three')))).toEqual([
			'user: Summary of the earlier conversation:\n\nso far',
			'user: two',
			'user: three'
		]);
	});

	it('CTX-05: an answer in pieces is one message', () => {
		const turn: NodeContent = {
			type: 'turn_context',
			payload: { turnId: 't', connectionId: 'c', model: 'm', permissionPolicy: 'inherit', activeSkills: [] }
		};
		const pieces = [answer('one, tw', { status: 'error' }), turn, answer('o, thr', { continuesNodeId: 'n1', status: 'stopped' }), turn];
		expect(spoken(chain(user('count'), ...pieces, answer('ee', { continuesNodeId: 'n3' }), user('more')))).toEqual([
			'user: count',
			'assistant: one, two, three',
			'user: more'
		]);
		expect(spoken(chain(user('count'), answer('rest', { continuesNodeId: 'gone' })))).toEqual(['user: count', 'assistant: rest']);
	});

	it('CTX-06: the newest turn context of the path', () => {
		const turn = (turnId: string): NodeContent => ({
			type: 'turn_context',
			payload: { turnId, connectionId: 'c', model: 'm', permissionPolicy: 'inherit', activeSkills: [] }
		});
		expect(buildSessionContext(chain(turn('one'), user('q'), turn('two'), user('q2'))).turnContext?.turnId).toBe('two');
		expect(buildSessionContext(chain(user('q'))).turnContext).toBeNull();
	});

	it('CTX-07: the same bytes each time, nothing empty, and what the provider wants back', () => {
		const state = { signature: 'x' };
		const path = chain(user(''), user('q'), answer(''), answer('a', { providerState: state }));
		const context = buildSessionContext(path);
		expect(context.messages).toEqual([
			{ role: 'user', content: says('q') },
			{ role: 'assistant', content: says('a'), providerState: state }
		]);
		expect(JSON.stringify(buildSessionContext(structuredClone(path)))).toBe(JSON.stringify(context));
	});

	it('CTX-07: 10,000 messages', () => {
		const contents = Array.from({ length: 10_000 }, (_, at) =>
			at % 2 === 0 ? user(`q${at}`) : answer(`a${at}`, { continuesNodeId: 'gone' })
		);
		expect(buildSessionContext(chain(...contents)).messages.length).toBe(10_000);
	});
});
