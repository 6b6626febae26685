// Pairs and their marks in a real browser.
import { describe, expect, it, onTestFinished } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { flushSync } from 'svelte';
import { seededRandom } from '../../../../../tests/fixtures/seeded-random.ts';
import type { ComparedItem, ComparedPair, ComparedSide, Comparison, Relation } from '#lib/core/domain/comparison.ts';
import { textOf } from '#lib/core/domain/nodes.ts';
import type { ComparisonState } from '#lib/client/state/comparison.svelte.ts';
import { WordDifferences } from '#lib/client/state/word-differences.svelte.ts';
import type { ThreadRow } from '#lib/client/thread-rows.ts';
import { DifferenceFinder, type DifferencesResult } from '#lib/client/word-differences/difference-finder.ts';
import { findDifferences } from '#lib/client/word-differences/find-differences.ts';
import { answer, treeNode } from '#lib/storage/test-database.ts';
import { noticesOf } from './compare-words.ts';
import { DifferenceSteps } from './difference-steps.ts';
import PairRow from './PairRow.svelte';
import { textBlocks } from './text-blocks.ts';

const atOnce = { find: (a: string, b: string, tell: (result: DifferencesResult) => void) => (tell(findDifferences(a, b)), () => {}) };

function answerRow(id: string, text: string): ThreadRow {
	const node = treeNode(id, null, { content: answer(text) });
	if (node.type !== 'assistant_message') throw new Error('no answer');
	const isStreaming = false;
	return {
		kind: 'answer',
		key: id,
		parts: [node],
		run: null,
		text: textOf(node.payload.content),
		reasoning: '',
		isStreaming,
		versions: null
	};
}

/** Pairs of answers; null where a side has none. */
async function setupPairs(
	texts: readonly (readonly [string | null, string | null])[],
	{ areMarked = true, finder = atOnce }: { areMarked?: boolean; finder?: Pick<DifferenceFinder, 'find'> } = {}
) {
	const rows = new Map<string, ThreadRow>();
	const itemOf = (id: string, text: string | null): ComparedItem | null => {
		if (text === null) return null;
		rows.set(id, answerRow(id, text));
		return { kind: 'answer', key: id, ids: [id], isComing: false };
	};
	const known = new Map<ComparedPair, WordDifferences>();
	const state = {
		row: (item: ComparedItem) => rows.get(item.key),
		differencesOf: (pair: ComparedPair) => {
			const [a, b] = [pair.a, pair.b].map((item) => item && rows.get(item.key));
			if (a?.kind !== 'answer' || b?.kind !== 'answer') return null;
			const found = known.get(pair) ?? new WordDifferences(finder, a.text, b.text);
			known.set(pair, found);
			return found;
		}
	} as unknown as ComparisonState;
	const list = document.createElement('ol');
	document.body.append(list);
	onTestFinished(() => list.remove());
	const shown = [];
	for (const [at, [a, b]] of texts.entries()) {
		const pair: ComparedPair = { a: itemOf(`a${at}`, a), b: itemOf(`b${at}`, b) };
		shown.push(await render(PairRow, { state, pair, areMarked }, { baseElement: list }));
	}
	flushSync();
	const text = (selector: string) => [...list.querySelectorAll(selector)].map((each) => each.textContent);
	return { list, shown, text };
}

describe('pairs', () => {
	it('COMP-01: a pair stands side by side, and a side without its message says so', async () => {
		const { list } = await setupPairs([
			['the same', 'the same'],
			[null, 'alone']
		]);
		const [first, second] = list.querySelectorAll('.pair');
		expect(first?.querySelector('.side-a article h2')?.textContent).toContain('A');
		expect(first?.querySelector('.verdict')?.textContent).toContain('No differences');
		expect(second?.querySelector('.side-a')?.textContent).toContain('Nothing here on this branch');
		expect(second?.querySelector('.side-b')?.textContent).toContain('alone');
	});

	it('COMP-02: what is to be known is a sentence', () => {
		const there: ComparedSide = { state: 'there', endId: 'x', isChosenDeleted: false, own: [], deletedCount: 0, isComing: false };
		const told = (relation: Relation, a: Partial<ComparedSide> = {}, b: Partial<ComparedSide> = {}) => {
			const comparison: Comparison = { relation, common: [], a: { ...there, ...a }, b: { ...there, ...b }, pairs: [] };
			return noticesOf(comparison).join(' ');
		};
		expect(told('fork')).toBe('');
		expect(told('same')).toContain('the same branch');
		expect(told('a-leads-to-b')).toContain('A leads to B');
		expect(told('b-leads-to-a')).toContain('B leads to A');
		expect(told('apart')).toContain('cut off');
		expect(told('incomplete', { state: 'missing' }, { state: 'deleted' })).toMatch(
			/^A: the chosen message is not in.* B: this branch was deleted/
		);
		expect(told('fork', { deletedCount: 2 }, { isChosenDeleted: true, deletedCount: 1 })).toBe(
			'A: 2 deleted messages are left out. B: the chosen message was deleted; what follows it is shown.'
		);
	});

	it('COMP-03: words of one side are del and ins, drawn without need of a colour, counted, and the text is whole', async () => {
		const [a, b] = ['One **old** word\n  stays', 'One **new** word\n  stays here'];
		const { list, text } = await setupPairs([[a, b]]);
		expect([text('.side-a del'), text('.side-b ins'), text('.side-a ins')]).toEqual([['old'], ['new', 'here'], []]);
		expect([text('.side-a .differing'), text('.side-b .differing')]).toEqual([[a], [b]]);
		expect(text('.verdict')[0]).toContain('2 differences: words only in A: 1, only in B: 2.');
		const lines = [...list.querySelectorAll('del, ins')].map((mark) => getComputedStyle(mark).textDecorationLine);
		expect(lines).toEqual(['line-through', 'underline', 'underline']);
		expect(getComputedStyle(list.querySelector('.differing')!).whiteSpace).toContain('pre-wrap');
	});

	it('COMP-04: unmarked, and where little is shared, messages are rendered', async () => {
		const plain = await setupPairs([['**strong** words', '**other** words']], { areMarked: false });
		expect([plain.text('strong'), plain.text('.verdict'), plain.text('del')]).toEqual([['strong', 'other'], [], []]);
		const random = seededRandom(3);
		const long = (name: string) => Array.from({ length: 200 }, () => `${name}${Math.floor(random() * 90)}`).join(' ');
		const scattered = await setupPairs([[`**a** ${long('x')}`, `**a** ${long('y')}`]]);
		expect([scattered.text('strong').length, scattered.text('del').length]).toEqual([2, 0]);
		expect(scattered.text('.verdict')[0]).toContain('They share');
		scattered.list.querySelector<HTMLButtonElement>('.verdict button')?.click();
		flushSync();
		expect([scattered.text('strong').length, scattered.text('del').length]).toEqual([0, 1]);
	});

	it('COMP-05: from one difference to the next, on whichever side', async () => {
		const { list } = await setupPairs([
			['a x b c', 'a y b c d'],
			['same', 'same'],
			['e f g', 'e g']
		]);
		const steps = new DifferenceSteps();
		const seen: (string | null)[] = [];
		while (steps.go(list, 1)) seen.push(document.activeElement?.textContent ?? null);
		expect(seen).toEqual(['x', 'd', 'f']);
		expect(steps.go(list, -1)).toBe(true);
		expect(document.activeElement?.textContent).toBe('d');
		expect(new DifferenceSteps().go(document.createElement('ol'), 1)).toBe(false);
	});

	it('COMP-06: a long text is blocks of whole lines, none of its words lost', () => {
		const pieces = [
			{ text: 'one\ntwo\nth', change: null },
			{ text: 'ree\n\nfo', change: 0 },
			{ text: 'ur five', change: null }
		];
		expect(textBlocks(pieces, 5)).toEqual([
			[{ text: 'one\ntwo\n', change: null }],
			[
				{ text: 'th', change: null },
				{ text: 'ree\n', change: 0 }
			],
			[
				{ text: '\nfo', change: 0 },
				{ text: 'ur five', change: null }
			]
		]);
		expect([textBlocks(pieces).length, textBlocks([]).length]).toEqual([1, 0]);
	});

	it('COMP-06: 200 kB a side are looked through beside the page, which goes on', async () => {
		const random = seededRandom(9);
		const words = Array.from({ length: 36_000 }, () => `w${Math.floor(random() * 4_000)}${random() < 0.08 ? '\n' : ''}`);
		const [a, b] = [words.join(' '), words.map((word, at) => (at % 180 === 3 ? 'changed' : word)).join(' ')];
		expect(a.length).toBeGreaterThan(200_000);
		const finder = new DifferenceFinder();
		onTestFinished(() => finder.close());
		const longest = { ms: 0, last: performance.now() };
		const timer = setInterval(() => {
			const now = performance.now();
			longest.ms = Math.max(longest.ms, now - longest.last);
			longest.last = now;
		}, 10);
		onTestFinished(() => clearInterval(timer));
		const { text } = await setupPairs([[a, b]], { finder });
		await expect.poll(() => text('.side-b ins').length, { timeout: 20_000 }).toBe(200);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(text('.side-b .differing')[0]).toBe(b);
		// A frame or a few to draw; what is looked for takes seconds of another thread.
		expect(longest.ms).toBeLessThan(1_000);
	});
});
