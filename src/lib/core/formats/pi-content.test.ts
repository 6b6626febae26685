import { describe, expect, it } from 'vitest';
import { piSessionToThread } from './pi-session.ts';
import { codes, contentOf, edges, piAssistant, piEntry, piHeader, piUser, threadOf } from './test-conversations.ts';

const convert = (...lines: readonly string[]) => piSessionToThread([piHeader(), ...lines]);
const text = (value: string) => ({ type: 'text', text: value });

describe('the entries of a pi session', () => {
	it('FMT-33: every type keeps its meaning', () => {
		const types = [
			piUser('a', null),
			piEntry('b', 'a', { type: 'model_change', provider: 'p', modelId: 'm' }),
			piEntry('c', 'b', { type: 'thinking_level_change', thinkingLevel: 'high' }),
			piEntry('d', 'c', { type: 'active_tools_change', activeToolNames: ['read', 1] }),
			piEntry('e', 'd', {
				type: 'compaction',
				summary: 'short',
				firstKeptEntryId: 'gone',
				tokensBefore: 5,
				retainedTail: [1],
				details: { n: 1 }
			}),
			piEntry('f', 'e', { type: 'branch_summary', fromId: 'a', summary: 'left' }),
			piEntry('g', 'f', { type: 'branch_summary', fromId: 'root', summary: 'left' }),
			piEntry('h', 'g', { type: 'custom', customType: 'x', data: [1] }),
			piEntry('i', 'h', { type: 'custom_message', customType: 'y', content: 'hello', display: false, details: 1 }),
			piEntry('j', 'i', { type: 'label', targetId: 'a', label: ' start ' }),
			piEntry('k', 'j', { type: 'label', targetId: 'a' }),
			piEntry('l', 'k', { type: 'message', message: { role: 'hookMessage', customType: 'z', content: [text('hook')], display: true } })
		];
		const outcome = convert(...types);
		expect(
			threadOf(outcome)
				.nodes.map((node) => node.content)
				.slice(1)
		).toEqual([
			{ type: 'model_change', payload: { provider: 'p', modelId: 'm' } },
			{ type: 'thinking_level_change', payload: { thinkingLevel: 'high' } },
			{ type: 'active_tools_change', payload: { activeToolNames: ['read'] } },
			{ type: 'compaction', payload: { summary: 'short', tokensBefore: 5, retainedTail: [1], details: { n: 1 } } },
			{ type: 'branch_summary', payload: { fromId: 'a', summary: 'left' } },
			{ type: 'branch_summary', payload: { fromId: null, summary: 'left' } },
			{ type: 'custom', payload: { customType: 'x', data: [1] } },
			{ type: 'custom_message', payload: { customType: 'y', content: [text('hello')], display: false, details: 1 } },
			{ type: 'label', payload: { targetId: 'a', label: 'start' } },
			{ type: 'label', payload: { targetId: 'a', label: null } },
			{ type: 'custom_message', payload: { customType: 'z', content: [text('hook')], display: true } }
		]);
		expect(outcome.findings).toEqual([{ code: 'missing-parent', count: 1, where: 'gone' }]);
	});

	it('FMT-34: thinking, usage, model and end of an answer are kept', () => {
		const usage = { input: 10, output: 5, cacheRead: 3, cacheWrite: 2, cost: { total: 0.5 } };
		const thread = threadOf(
			convert(
				piAssistant('a', null, [{ type: 'thinking', thinking: 'hm' }, text('yes')], { stopReason: 'aborted', usage }),
				piAssistant('b', 'a', [], { stopReason: 'error', errorMessage: 'overloaded' })
			)
		);
		expect(thread.nodes.map((node) => node.content.payload)).toEqual([
			{
				content: [text('yes')],
				model: 'm',
				connectionId: 'imported:pi',
				status: 'stopped',
				reasoning: 'hm',
				usage: { inputTokens: 15, outputTokens: 5, cachedInputTokens: 3, costUsd: 0.5 },
				stopReason: 'aborted'
			},
			{
				content: [{ type: 'unknown', raw: { type: 'error', errorMessage: 'overloaded' } }],
				model: 'm',
				connectionId: 'imported:pi',
				status: 'error',
				stopReason: 'error'
			}
		]);
	});

	it('FMT-35: calls follow their message, results answer the nearest call of their id', () => {
		const call = (id: string, name: string) => ({ type: 'toolCall', id, name, arguments: { name } });
		const result = (id: string, parent: string, toolCallId: string, isError = false) =>
			piEntry(id, parent, { type: 'message', message: { role: 'toolResult', toolCallId, content: [text(id)], isError } });
		const thread = threadOf(
			convert(
				piUser('u', null),
				piAssistant('a', 'u', [text('two'), call('1', 'x'), call('2', 'y')]),
				result('r', 'a', '2'),
				result('s', 'r', '1', true),
				piAssistant('b', 's', [call('1', 'z')]),
				result('t', 'b', '1'),
				result('v', 'a', '1'),
				result('w', 'v', 'none')
			)
		);
		expect(edges(thread)).toEqual([
			'>u',
			'u>a',
			'a>a#call1',
			'a#call1>a#call2',
			'a#call2>r',
			'r>s',
			's>b',
			'b>b#call1',
			'b#call1>t',
			'a#call2>v',
			'v>w'
		]);
		const items = thread.nodes.flatMap(({ externalId, content }) =>
			'itemId' in content.payload ? `${externalId} ${content.payload.itemId}` : []
		);
		expect(items).toEqual(['a#call1 1', 'a#call2 2', 'r 2', 's 1', 'b#call1 b#call1', 't b#call1', 'v 1', 'w none']);
		expect(contentOf(thread, 's')?.payload).toMatchObject({ ok: false, status: 'error' });
		expect(contentOf(thread, 'a#call2')?.payload).toEqual({ itemId: '2', toolName: 'y', params: { name: 'y' }, level: 'builtin' });
	});

	it('FMT-35: an unanswered call is the leaf when its message came last', () => {
		expect(threadOf(convert(piAssistant('a', null, [{ type: 'toolCall', id: '1', name: 'x' }]))).leafExternalId).toBe('a#call1');
	});

	it('FMT-36: a shell command goes where pi sent it', () => {
		const run = { role: 'bashExecution', command: 'ls', output: 'pond', exitCode: 0 };
		const secret = { ...run, excludeFromContext: true };
		const thread = threadOf(
			convert(
				piUser('u', null),
				piEntry('a', 'u', { type: 'message', message: run }),
				piEntry('b', 'a', { type: 'message', message: secret })
			)
		);
		expect(contentOf(thread, 'a')).toEqual({
			type: 'custom_message',
			payload: { customType: 'pi.bash-execution', content: [text('$ ls\npond')], display: true, details: run }
		});
		expect(contentOf(thread, 'b')).toEqual({ type: 'custom', payload: { customType: 'pi.bash-execution', data: secret } });
	});

	it('FMT-37: unknown entries, roles and blocks are kept verbatim', () => {
		const image = { type: 'image', data: 'AA==', mimeType: 'image/png' };
		const outcome = convert(
			piEntry('a', null, { type: 'telepathy', strength: 3 }),
			piEntry('b', 'a', { type: 'message', message: { role: 'oracle' } }),
			piEntry('c', 'b', { type: 'message', message: { role: 'user', content: [text('see'), image] } }),
			piEntry('d', 'c', { type: 'label', targetId: 'gone', label: 'x' })
		);
		const thread = threadOf(outcome);
		expect(contentOf(thread, 'a')).toEqual({
			type: 'unknown',
			payload: {
				originalType: 'telepathy',
				raw: { id: 'a', parentId: null, timestamp: '2026-01-02T03:04:06.000Z', type: 'telepathy', strength: 3 }
			}
		});
		expect(contentOf(thread, 'b')).toMatchObject({ type: 'unknown', payload: { originalType: 'message' } });
		expect(contentOf(thread, 'c')?.payload).toEqual({ content: [text('see'), { type: 'unknown', raw: image }] });
		expect(contentOf(thread, 'd')).toMatchObject({ type: 'unknown', payload: { originalType: 'label' } });
		expect(codes(outcome)).toEqual(['unknown-content-kept 4']);
	});

	it('FMT-38: the last name of the session is the title', () => {
		const name = (id: string, value: string) => piEntry(id, 'a', { type: 'session_info', name: value });
		expect(threadOf(convert(piUser('a', null), name('b', 'Pond'), name('c', ' Lake '))).title).toBe('Lake');
	});
});
