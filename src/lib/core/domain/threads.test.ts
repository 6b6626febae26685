import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isVisible, textOf } from './nodes.ts';
import { maxTitleLength, normaliseTitle } from './threads.ts';

it('TREE-10: a title is one line, trimmed, of at most 80 code points, and stays what it is', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
			const title = normaliseTitle(text);
			expect([...title].length).toBeLessThanOrEqual(maxTitleLength);
			expect(title).toBe(title.trim());
			expect(title).not.toMatch(/\s\s|[\n\t]/u);
			expect(normaliseTitle(title)).toBe(title);
		})
	);
	expect(normaliseTitle('  a\n\tb  ')).toBe('a b');
	expect(normaliseTitle('🌳'.repeat(81))).toBe(`${'🌳'.repeat(79)}…`);
	expect(normaliseTitle('🌳'.repeat(80))).toBe('🌳'.repeat(80));
});

it('TREE-11: a tombstone is never seen, nor what only marks a place', () => {
	expect(isVisible({ type: 'user_message' })).toBe(true);
	expect(isVisible({ type: 'user_message', deleted: true })).toBe(false);
	expect(isVisible({ type: 'turn_context' })).toBe(false);
	expect(isVisible({ type: 'system_notice' })).toBe(true);
	expect(isVisible({ type: 'unknown' })).toBe(true);
});

it('TREE-12: the text of a message is its text blocks, a paragraph each', () => {
	const missing = { type: 'missing', kind: 'image', name: 'x.png' } as const;
	expect(textOf([{ type: 'text', text: 'a' }, missing, { type: 'text', text: 'b' }])).toBe('a\n\nb');
	expect(textOf([missing])).toBe('');
});
