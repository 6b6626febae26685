import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piSessionToThread } from './pi-session.ts';
import { codes, contentOf, edges, piAssistant, piEntry, piHeader, piUser, threadOf } from './test-conversations.ts';

const convert = (...lines: readonly string[]) => piSessionToThread([piHeader(), ...lines]);
const text = (value: string) => ({ type: 'text', text: value });

describe('the tree of a pi session', () => {
	it('FMT-30: v1 lines are a chain, and the index of a compaction becomes an id', () => {
		const user = (content: string) =>
			JSON.stringify({ type: 'message', timestamp: '2026-01-02T00:00:00Z', message: { role: 'user', content } });
		const thread = threadOf(
			piSessionToThread([
				piHeader({ version: null }),
				user('a'),
				user('b'),
				JSON.stringify({
					type: 'compaction',
					timestamp: '2026-01-02T00:00:01Z',
					summary: 'so far',
					firstKeptEntryIndex: 2,
					tokensBefore: 9
				}),
				user('c')
			])
		);
		expect(edges(thread)).toEqual(['>line-2', 'line-2>line-3', 'line-3>line-4', 'line-4>line-5']);
		expect(contentOf(thread, 'line-4')?.payload).toEqual({ summary: 'so far', firstKeptEntryId: 'line-3', tokensBefore: 9 });
		expect({ ...thread, nodes: [] }).toEqual({
			externalId: 'pi:s',
			source: 'pi',
			title: '',
			createdAt: Date.parse('2026-01-02T03:04:05Z'),
			updatedAt: Date.parse('2026-01-02T00:00:00Z'),
			archived: false,
			pinned: false,
			leafExternalId: 'line-5',
			nodes: []
		});
	});

	it('FMT-31: a second entry of an id gets its own, and later children mean the second', () => {
		const marker = (parent: string, data: number) => piEntry('x', parent, { type: 'custom', customType: 'mark', data });
		const outcome = convert(piUser('a', null), marker('a', 1), piUser('b', 'x'), marker('b', 2), piUser('c', 'x'));
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>x', 'x>b', 'b>x~2', 'x~2>c']);
		expect(codes(outcome)).toEqual(['duplicate-id 1']);
	});

	it('FMT-31: a repeated prefix of the file is left out and reported', () => {
		const outcome = convert(piUser('a', null), piUser('b', 'a'), piUser('a', null), piUser('b', 'a'), piUser('c', 'b'));
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>b', 'b>c']);
		expect(codes(outcome)).toEqual(['duplicate-id 2']);
	});

	it('FMT-32: an absent or later parent is replaced by the line before', () => {
		const outcome = convert(piUser('a', 'z'), piUser('b', 'a'), piUser('c', 'gone'), piUser('d', 'e'), piUser('e', 'd'));
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>b', 'b>c', 'c>d', 'd>e']);
		expect(outcome.findings).toEqual([{ code: 'missing-parent', count: 3, where: 'line 2' }]);
	});

	it('FMT-39: a leaf entry moves the leaf, a message after it moves it again, metadata never', () => {
		const leaf = (targetId: string | null) => piEntry('l', 'c', { type: 'leaf', targetId });
		const label = piEntry('m', 'b', { type: 'label', targetId: 'a', label: 'start' });
		const name = piEntry('n', 'a', { type: 'session_info', name: 'Pond' });
		const base = [piUser('a', null), piUser('b', 'a'), piUser('c', 'a')];
		const leafOf = (...lines: readonly string[]) => threadOf(convert(...base, ...lines)).leafExternalId;
		expect(leafOf()).toBe('c');
		expect(leafOf(label, name)).toBe('c');
		expect(leafOf(leaf('b'), name)).toBe('b');
		expect(leafOf(leaf('b'), piUser('d', 'b'))).toBe('d');
		expect(leafOf(label, piEntry('l', 'm', { type: 'leaf', targetId: 'm' }))).toBe('b');
		expect(leafOf(leaf(null))).toBe('c');
		const lost = convert(...base, leaf('gone'));
		expect([threadOf(lost).leafExternalId, codes(lost)]).toEqual(['c', ['current-node-missing 1']]);
	});

	it('FMT-42: a label hangs under what it names, and nothing hangs under a label', () => {
		const label = (id: string, parentId: string, targetId: string) => piEntry(id, parentId, { type: 'label', targetId, label: 'start' });
		const outcome = convert(
			piUser('a', null),
			piUser('b', 'a'),
			label('m', 'b', 'a'),
			piUser('c', 'm'),
			label('n', 'c', 'm'),
			piUser('d', 'n')
		);
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>b', 'a>m', 'b>c', 'm>n', 'c>d']);
		expect(threadOf(outcome).leafExternalId).toBe('d');
	});

	it('FMT-40: bad lines lose themselves and are reported with the number of the first', () => {
		const outcome = convert(piUser('a', null), '{"type":"mess', '', '7', piUser('b', 'a'));
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>b']);
		expect(outcome.findings).toEqual([{ code: 'line-unreadable', count: 2, where: 'line 3' }]);
		const headless = piSessionToThread(['{"type":"sess', piUser('a', null)]);
		expect([threadOf(headless).externalId, codes(headless)]).toEqual(['pi:entry:a', ['line-unreadable 1']]);
	});

	it('FMT-41: only the last line can be torn', () => {
		expect(convert(piUser('a', null), '{"type"', '').findings).toEqual([{ code: 'torn-last-line', count: 1, where: 'line 3' }]);
	});

	it('FMT-04: a line that nests too deep loses itself', () => {
		const bomb = piEntry('b', 'a', { type: 'custom', customType: 'x' }).replace('"x"', `"x","data":${'['.repeat(5000)}${']'.repeat(5000)}`);
		const outcome = convert(piUser('a', null), bomb, piUser('c', 'a'));
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>c']);
		expect(outcome.findings).toEqual([{ code: 'too-deep', count: 1, where: 'line 3' }]);
	});

	it('FMT-40: a session without messages is refused', () => {
		expect(convert(piEntry('n', null, { type: 'session_info', name: 'Pond' }))).toEqual({
			thread: null,
			findings: [{ code: 'conversation-without-messages', count: 1, where: 's' }]
		});
		expect(piSessionToThread([]).thread).toBeNull();
	});

	it('FMT-32: any pointers and any ids keep every line once, parents first', () => {
		const line = fc.record({ id: fc.option(fc.nat({ max: 9 }), { nil: null }), parent: fc.option(fc.nat({ max: 12 }), { nil: null }) });
		fc.assert(
			fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (entries) => {
				const lines = entries.map(({ id, parent }, index) =>
					JSON.stringify({
						type: 'message',
						...(id !== null && { id: `${id}` }),
						parentId: parent === null ? null : `${parent}`,
						message: { role: 'user', content: `text ${index}` }
					})
				);
				const thread = threadOf(convert(...lines));
				const placed = new Set<string>();
				for (const node of thread.nodes) {
					expect(placed.has(node.externalId)).toBe(false);
					expect(node.parentExternalId === null || placed.has(node.parentExternalId)).toBe(true);
					placed.add(node.externalId);
				}
				const texts = thread.nodes.map(({ content }) => (content.type === 'user_message' ? content.payload.content : []));
				expect(texts).toEqual(entries.map((_, index) => [text(`text ${index}`)]));
				expect(thread.leafExternalId).toBe(thread.nodes.at(-1)?.externalId);
			})
		);
	});

	it('FMT-37: no line makes it throw', () => {
		const type = fc.constantFrom(
			'message',
			'compaction',
			'branch_summary',
			'custom',
			'custom_message',
			'label',
			'session_info',
			'leaf',
			'new',
			'model_change'
		);
		const message = fc.record({
			role: fc.constantFrom('user', 'assistant', 'toolResult', 'bashExecution', 'x'),
			content: fc.jsonValue(),
			usage: fc.jsonValue()
		});
		const entry = fc.dictionary(
			fc.constantFrom('id', 'parentId', 'targetId', 'fromId', 'firstKeptEntryIndex', 'content', 'name'),
			fc.jsonValue()
		);
		const line = fc.oneof(
			fc.string(),
			fc.jsonValue().map((value) => JSON.stringify(value)),
			fc.tuple(entry, type, message).map(([fields, type, message]) => JSON.stringify({ ...fields, type, message }))
		);
		fc.assert(
			fc.property(fc.array(line), (lines) => {
				const outcome = piSessionToThread(lines);
				expect(outcome.thread !== null || outcome.findings.length > 0).toBe(true);
			})
		);
	});

	it('FMT-31: ten thousand lines of one id and one call id take no square of time', () => {
		const lines = Array.from({ length: 10_000 }, (_, index) =>
			index % 2 === 0
				? piAssistant('x', 'x', [{ type: 'toolCall', id: 'c', name: 'n', arguments: { index } }])
				: piEntry('x', 'x', { type: 'message', message: { role: 'toolResult', toolCallId: 'c', content: `${index}` } })
		);
		const started = performance.now();
		expect(threadOf(convert(...lines)).nodes).toHaveLength(15_000);
		expect(performance.now() - started).toBeLessThan(3000);
	});
});
