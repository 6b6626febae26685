import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../std/json.ts';
import { chatGptConversationToThread } from './chatgpt.ts';
import { chatGptConversation, codes, contentOf, edges, mappingNode, threadOf } from './test-conversations.ts';

const assistant = (id: string, parent: string | null, more: JsonObject = {}) => mappingNode(id, { role: 'assistant', parent, more });
const convert = (nodes: readonly JsonObject[]) => chatGptConversationToThread(chatGptConversation(nodes));

describe('the content', () => {
	it('FMT-16: unknown content types, parts and roles are kept whole', () => {
		const strange = { content_type: 'hologram', beam: 3 };
		const outcome = convert([
			mappingNode('u', { content: { content_type: 'multimodal_text', parts: ['look', strange] } }),
			assistant('a', 'u', { content: strange }),
			mappingNode('x', { parent: 'a', role: 'critic' })
		]);
		const thread = threadOf(outcome);
		expect(contentOf(thread, 'u')?.payload).toEqual({
			content: [
				{ type: 'text', text: 'look' },
				{ type: 'unknown', raw: strange }
			]
		});
		expect(contentOf(thread, 'a')?.payload).toMatchObject({ content: [{ type: 'unknown', raw: strange }] });
		expect(contentOf(thread, 'x')).toMatchObject({
			type: 'unknown',
			payload: { originalType: 'chatgpt.message', raw: { author: { role: 'critic' } } }
		});
		expect(codes(outcome)).toEqual(['unknown-content-kept 3']);
	});

	it('FMT-18: call and results stand in the chain, the results name the call', () => {
		const call = (id: string, parent: string, recipient: string, text: string) =>
			assistant(id, parent, { recipient, content: { content_type: 'code', language: 'python', text } });
		const result = (id: string, parent: string, name: string, content: JsonObject) =>
			mappingNode(id, { parent, content, more: { author: { role: 'tool', name } } });
		const thread = threadOf(
			convert([
				mappingNode('u'),
				call('c1', 'u', 'search', '{"q":"moss"}'),
				call('c2', 'c1', 'python', '1 + 1'),
				result('r1', 'c2', 'search', { content_type: 'tether_browsing_display', result: 'green' }),
				result('r2', 'r1', 'python', { content_type: 'execution_output', text: '2' }),
				result('r3', 'r2', 'python', { content_type: 'system_error', name: 'Timeout', text: 'slow' }),
				assistant('a', 'r3')
			])
		);
		expect(edges(thread)).toEqual(['>u', 'u>c1', 'c1>c2', 'c2>r1', 'r1>r2', 'r2>r3', 'r3>a']);
		expect(['c1', 'c2', 'r1', 'r2', 'r3'].map((id) => contentOf(thread, id))).toEqual([
			{ type: 'tool_call', payload: { itemId: 'c1', toolName: 'search', params: { q: 'moss' }, level: 'builtin' } },
			{ type: 'tool_call', payload: { itemId: 'c2', toolName: 'python', params: { language: 'python', text: '1 + 1' }, level: 'builtin' } },
			{ type: 'tool_result', payload: { itemId: 'c1', ok: true, status: 'ok', contentForLlm: [{ type: 'text', text: 'green' }] } },
			{ type: 'tool_result', payload: { itemId: 'c2', ok: true, status: 'ok', contentForLlm: [{ type: 'text', text: '2' }] } },
			{
				type: 'tool_result',
				payload: { itemId: 'c2', ok: false, status: 'error', contentForLlm: [{ type: 'text', text: 'Timeout: slow' }] }
			}
		]);
	});

	it('FMT-19: images, recordings and attachments leave a named placeholder once', () => {
		const outcome = convert([
			mappingNode('u', {
				content: {
					content_type: 'multimodal_text',
					parts: [
						{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_1' },
						{ content_type: 'audio_asset_pointer', asset_pointer: 'file-service://file-9' },
						{ content_type: 'audio_transcription', text: 'spoken' }
					]
				},
				metadata: {
					attachments: [
						{ id: 'file_1', name: 'pond.png' },
						{ id: 'file_2', name: 'list.pdf', mime_type: 'application/pdf' }
					]
				}
			})
		]);
		expect(contentOf(threadOf(outcome), 'u')?.payload).toEqual({
			content: [
				{ type: 'missing', kind: 'image', name: 'pond.png' },
				{ type: 'missing', kind: 'audio', name: 'file-9' },
				{ type: 'text', text: 'spoken' },
				{ type: 'missing', kind: 'file', name: 'list.pdf' }
			]
		});
		expect(codes(outcome)).toEqual(['file-missing-from-export 3']);
	});

	it('FMT-20: thinking joins the next answer of each branch, across tool calls', () => {
		const thoughts = mappingNode('t', {
			parent: 'u',
			role: 'assistant',
			content: { content_type: 'thoughts', thoughts: [{ summary: 'Weighing', content: 'Two ways.' }] }
		});
		const recap = mappingNode('k', {
			parent: 't',
			role: 'assistant',
			content: { content_type: 'reasoning_recap', content: 'Thought for 2s' }
		});
		const nodes = [
			mappingNode('u'),
			thoughts,
			recap,
			assistant('c', 'k', { recipient: 'web' }),
			assistant('a', 'c'),
			assistant('b', 'k'),
			assistant('d', 'b')
		];
		const thread = threadOf(convert(nodes));
		expect(edges(thread)).toEqual(['>u', 'u>c', 'c>a', 'u>b', 'b>d']);
		const reasoning = '**Weighing**\n\nTwo ways.\n\nThought for 2s';
		expect(['a', 'b', 'd'].map((id) => contentOf(thread, id)?.payload)).toMatchObject([{ reasoning }, { reasoning }, {}]);
		expect(contentOf(thread, 'd')?.payload).not.toHaveProperty('reasoning');
	});

	it('FMT-20: thinking without an answer stands as an interrupted one', () => {
		const thoughts = (id: string, parent: string) =>
			mappingNode(id, { parent, role: 'assistant', content: { content_type: 'thoughts', thoughts: [{ content: id }] } });
		const thread = threadOf(convert([mappingNode('u'), thoughts('t', 'u'), thoughts('s', 't'), mappingNode('v', { parent: 's' })]));
		expect(edges(thread)).toEqual(['>u', 'u>s', 's>v']);
		expect(contentOf(thread, 's')?.payload).toEqual({
			content: [],
			model: 'unknown',
			connectionId: 'imported:chatgpt',
			status: 'interrupted',
			reasoning: 't\n\ns'
		});
	});

	it('FMT-21: instructions, memory and hidden messages are custom nodes with their content', () => {
		const instructions = { content_type: 'user_editable_context', user_profile: 'A gardener.', user_instructions: 'Be brief.' };
		const hidden = { is_visually_hidden_from_conversation: true };
		const nodes = [
			mappingNode('i', { content: instructions, metadata: hidden }),
			mappingNode('e', { parent: 'i', content: { content_type: 'user_editable_context', user_profile: '', user_instructions: '' } }),
			mappingNode('m', {
				parent: 'e',
				role: 'system',
				content: { content_type: 'model_editable_context', model_set_context: 'Likes moss.' }
			}),
			mappingNode('h', { parent: 'm', role: 'user', metadata: hidden }),
			mappingNode('u', { parent: 'h' })
		];
		const thread = threadOf(convert(nodes));
		expect(edges(thread)).toEqual(['>i', 'i>m', 'm>h', 'h>u']);
		expect(contentOf(thread, 'i')).toEqual({ type: 'custom', payload: { customType: 'chatgpt.custom-instructions', data: instructions } });
		const types = ['m', 'h'].map((id) => contentOf(thread, id)?.payload);
		expect(types).toMatchObject([{ customType: 'chatgpt.memory' }, { customType: 'chatgpt.hidden-message' }]);
	});

	it.each([
		[
			'a link of the export',
			'Moss grows \uE200cite\uE202turn0search0\uE201.',
			'Moss grows ([Moss \\[guide\\]](https://moss.example/a%28b%29)).'
		],
		['no link for it', 'Moss grows \uE200cite\uE202turn9\uE201.', 'Moss grows.'],
		['an entity', 'Ask \uE200entity\uE202["person","Ada"]\uE201 now', 'Ask Ada now'],
		['a link of its own', '\uE200url\uE202here\uE202https://x.example\uE201', '[here](https://x.example)'],
		['an address that is no web page', 'a\uE200url\uE202here\uE202javascript:alert(1)\uE201b', 'ab'],
		['no end', 'cut \uE200cite\uE202turn0 and on\uE202', 'cut  and on'],
		['old brackets with a link', 'So 【1†source】', 'So ([Old](https://old.example))'],
		['old brackets without', 'So 【2†source】', 'So 【2†source】']
	])('FMT-17: a citation mark with %s', (_, text, shown) => {
		const content_references = [
			{ matched_text: '\uE200cite\uE202turn0search0\uE201', items: [{ title: 'Moss [guide]', url: 'https://moss.example/a(b)' }] },
			{ matched_text: '【1†source】', title: 'Old', url: 'https://old.example' }
		];
		const node = mappingNode('u', { content: { content_type: 'text', parts: [text] }, metadata: { content_references } });
		expect(contentOf(threadOf(convert([node])), 'u')?.payload).toEqual({ content: [{ type: 'text', text: shown }] });
	});

	it('FMT-16: code shown to the person is fenced beyond its own fences', () => {
		const content = { content_type: 'code', language: 'md', text: '```\nx\n```' };
		expect(contentOf(threadOf(convert([assistant('a', null, { content })])), 'a')?.payload).toMatchObject({
			content: [{ type: 'text', text: '````md\n```\nx\n```\n````' }]
		});
	});
});
