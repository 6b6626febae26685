import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../std/json.ts';
import { chatGptConversationToThread } from './chatgpt.ts';
import { chatGptConversation, codes, edges, mappingNode, threadOf } from './test-conversations.ts';

const assistant = (id: string, parent: string | null, more: JsonObject = {}, metadata: JsonObject = {}) =>
	mappingNode(id, { role: 'assistant', parent, more, metadata });
const convert = (nodes: readonly JsonObject[], more: JsonObject = {}) => chatGptConversationToThread(chatGptConversation(nodes, more));

describe('the tree', () => {
	it('FMT-11: child lists order siblings, links come from parents, times order nothing', () => {
		const first = { ...mappingNode('u', { more: { create_time: 9 } }), children: ['b', 'a', 'stranger'] };
		const outcome = convert([
			assistant('a', 'u', { create_time: 1 }),
			assistant('b', 'u', { create_time: 5.0014 }),
			first,
			mappingNode('x', { parent: 'gone' })
		]);
		expect(edges(threadOf(outcome))).toEqual(['>u', 'u>b', 'u>a', '>x']);
		expect(threadOf(outcome).nodes.map((node) => node.ts)).toEqual([9000, 5001, 1000, null]);
		expect(codes(outcome)).toEqual(['missing-parent 1']);
	});

	it('FMT-11: a pointer to the id of a message finds the node under another key', () => {
		const node = { ...mappingNode('message-id'), id: 'key' };
		expect(edges(threadOf(convert([node, assistant('a', 'message-id')], { current_node: 'message-id' })))).toEqual(['>key', 'key>a']);
	});

	it('FMT-12: all branches are kept and the current node is the leaf', () => {
		const nodes = [mappingNode('u'), assistant('a', 'u'), assistant('b', 'u'), mappingNode('v', { parent: 'a' })];
		const thread = threadOf(convert(nodes, { current_node: 'b', create_time: '12.5', update_time: 14, is_starred: true }));
		expect(edges(thread)).toEqual(['>u', 'u>a', 'a>v', 'u>b']);
		expect({ ...thread, nodes: [] }).toEqual({
			externalId: 'chatgpt:c',
			source: 'chatgpt',
			title: 'Garden',
			createdAt: 12_500,
			updatedAt: 14_000,
			archived: false,
			pinned: true,
			leafExternalId: 'b',
			nodes: []
		});
	});

	it('FMT-12: a hidden current node gives its nearest visible ancestor', () => {
		const hidden = mappingNode('h', { parent: 'u', role: 'system' });
		expect(threadOf(convert([mappingNode('u'), hidden, assistant('a', 'u')], { current_node: 'h' })).leafExternalId).toBe('u');
	});

	it('FMT-13: a cycle is cut at its first node, its tail stays on it', () => {
		const outcome = convert([
			mappingNode('a', { parent: 'c' }),
			mappingNode('t', { parent: 'b' }),
			mappingNode('b', { parent: 'a' }),
			mappingNode('c', { parent: 'b' })
		]);
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>b', 'b>t', 'b>c']);
		expect(codes(outcome)).toEqual(['parent-cycle 1']);
		expect(codes(convert([mappingNode('a', { parent: 'a' })]))).toEqual(['parent-cycle 1']);
	});

	it('FMT-14: what is left out hands its children to the nearest kept ancestor', () => {
		const root = { id: 'r', parent: null, children: [], message: null };
		const empty = (id: string, parent: string, role: string) =>
			mappingNode(id, { parent, role, content: { content_type: 'text', parts: ['', null] } });
		const nodes = [root, empty('s', 'r', 'system'), mappingNode('u', { parent: 's' }), empty('e', 'u', 'assistant'), assistant('a', 'e')];
		expect(edges(threadOf(convert(nodes)))).toEqual(['>u', 'u>a']);
	});

	it.each([
		[null, 'b', []],
		['gone', 'b', ['current-node-missing 1']],
		['r', 'b', []]
	])('FMT-15: with the current node %s the newest branch is in view', (current_node, leaf, found) => {
		const root = { id: 'r', parent: null, children: [], message: null };
		const system = mappingNode('z', { parent: 'b', role: 'system' });
		const outcome = convert([root, mappingNode('u', { parent: 'r' }), assistant('a', 'u'), assistant('b', 'u'), system], { current_node });
		expect(threadOf(outcome).leafExternalId).toBe(leaf);
		expect(codes(outcome)).toEqual(found);
	});

	it('FMT-22: no mapping or no message refuses the conversation by its title', () => {
		const unreadable = (where?: string) => ({
			thread: null,
			findings: [{ code: 'conversation-unreadable', count: 1, ...(where && { where }) }]
		});
		expect(chatGptConversationToThread({ title: 'Folder' })).toEqual(unreadable('Folder'));
		expect(chatGptConversationToThread({ id: 'c', title: '', mapping: [] })).toEqual(unreadable('c'));
		for (const raw of [null, 3, 'text', []]) expect(chatGptConversationToThread(raw)).toEqual(unreadable());
		expect(convert([{ id: 'r', parent: null, message: null }])).toEqual({
			thread: null,
			findings: [{ code: 'conversation-without-messages', count: 1, where: 'Garden' }]
		});
	});

	it('FMT-22: the model and the end of an answer are its own', () => {
		const nodes = [
			assistant('a', null, { status: 'in_progress' }, { model_slug: 'swift-1', finish_details: { type: 'interrupted' } }),
			assistant('b', 'a', { status: 'error' }),
			assistant('c', 'b', { status: 'finished_successfully' })
		];
		const answers = (more: JsonObject) =>
			threadOf(convert(nodes, more)).nodes.map(({ content }) =>
				content.type === 'assistant_message' ? [content.payload.model, content.payload.status, content.payload.stopReason] : []
			);
		expect(answers({ default_model_slug: 'slow-2' })).toEqual([
			['swift-1', 'interrupted', 'interrupted'],
			['slow-2', 'error', undefined],
			['slow-2', 'complete', undefined]
		]);
		expect(answers({})[2]).toEqual(['unknown', 'complete', undefined]);
	});

	it('FMT-22: a conversation without an id is named by its first message', () => {
		expect(threadOf(convert([mappingNode('u')], { id: null })).externalId).toBe('chatgpt:message:u');
	});

	it('FMT-23: ten thousand messages in a chain, in reverse order, are one path', () => {
		const nodes = Array.from({ length: 10_000 }, (_, index) => mappingNode(`n${index}`, { parent: index === 0 ? null : `n${index - 1}` }));
		const thread = threadOf(convert(nodes.toReversed()));
		expect(thread.nodes).toHaveLength(10_000);
		expect(thread.nodes.every((node, index) => node.externalId === `n${index}`)).toBe(true);
		expect(thread.leafExternalId).toBe('n9999');
	});

	it('FMT-10: any pointers in any order keep every message once, parents first, a leaf among them', () => {
		const pointer = fc.option(fc.nat({ max: 24 }), { nil: null });
		const graph = fc.array(pointer, { minLength: 1, maxLength: 20 }).chain((parents) =>
			fc.record({
				parents: fc.constant(parents),
				order: fc.shuffledSubarray([...parents.keys()], { minLength: parents.length }),
				current: pointer
			})
		);
		fc.assert(
			fc.property(graph, ({ parents, order, current }) => {
				const nodes = order.map((index) => {
					const parent = parents[index] ?? null;
					return mappingNode(`n${index}`, { role: index % 2 === 0 ? 'user' : 'assistant', parent: parent === null ? null : `n${parent}` });
				});
				const thread = threadOf(convert(nodes, { current_node: current === null ? null : `n${current}` }));
				const placed = new Set<string>();
				for (const node of thread.nodes) {
					expect(node.parentExternalId === null || placed.has(node.parentExternalId)).toBe(true);
					placed.add(node.externalId);
				}
				expect(thread.nodes.map((node) => node.externalId).toSorted()).toEqual(nodes.map((node) => String(node['id'])).toSorted());
				expect(placed.has(thread.leafExternalId ?? '')).toBe(true);
				if (current !== null && current < parents.length) expect(thread.leafExternalId).toBe(`n${current}`);
			})
		);
	});

	it('FMT-23: no JSON makes it throw', () => {
		const part = fc.jsonValue({ maxDepth: 3 });
		const message = fc.record(
			{
				author: fc.record({ role: fc.constantFrom('user', 'assistant', 'tool', 'system', 'other'), name: part }, { requiredKeys: [] }),
				content: fc.oneof(
					part,
					fc.record({
						content_type: fc.constantFrom(
							'text',
							'code',
							'multimodal_text',
							'thoughts',
							'reasoning_recap',
							'user_editable_context',
							'tether_quote'
						),
						parts: part,
						text: part,
						thoughts: part
					})
				),
				metadata: part,
				recipient: part,
				status: part,
				create_time: part
			},
			{ requiredKeys: [] }
		);
		const node = fc.oneof(part, fc.record({ id: part, parent: fc.oneof(part, fc.constantFrom('a', 'b')), children: part, message }));
		const mapping = fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', 'c', 'constructor', 'toString'), fc.string()), node);
		fc.assert(
			fc.property(
				fc.oneof(part, fc.record({ mapping, title: part, current_node: fc.oneof(part, fc.constantFrom('a', 'b')), create_time: part })),
				(raw) => {
					const outcome = chatGptConversationToThread(raw);
					expect(outcome.thread !== null || outcome.findings.length > 0).toBe(true);
				}
			)
		);
	});
});
