import { describe, expect, test } from 'vitest';
import { blocksPerGroup, estimateLines, groupBlocks, groupSource } from './block-groups.ts';
import { TailLexer } from './tail-lexer.ts';

const paragraphs = (count: number) => Array.from({ length: count }, (_, n) => `Paragraph ${n}\n\n`).join('');

describe('groupBlocks', () => {
	test('MD-51 a growing text keeps the groups in which nothing changed', () => {
		const lexer = new TailLexer();
		const before = groupBlocks(lexer.update(paragraphs(20), { settled: false }), [], { waits: true });
		const after = groupBlocks(lexer.update(paragraphs(30), { settled: false }), before, { waits: false });
		expect(before.map(({ blocks }) => blocks.length)).toEqual([8, 8, 4]);
		expect(after.map(({ blocks }) => blocks.length)).toEqual([8, 8, 8, 6]);
		expect(after.map((group, index) => group === before[index])).toEqual([true, true, false, false]);
		expect(after.map(({ waits }) => waits)).toEqual([true, true, true, false]);
	});

	test('MD-51 a block is in the group of its position', () => {
		const blocks = new TailLexer().update(paragraphs(50), { settled: true });
		for (const { key, blocks: members } of groupBlocks(blocks, [], { waits: false })) {
			for (const member of members) expect(Math.floor(member.key / blocksPerGroup)).toBe(key);
		}
	});

	test('MD-53 the source of a group is that of its blocks, and its lines are guessed', () => {
		const [group] = groupBlocks(new TailLexer().update('# A\n\n\n- b\n- c\n', { settled: true }), [], { waits: false });
		const source = group ? groupSource(group) : '';
		expect(source).toBe('# A\n\n- b\n- c');
		expect([estimateLines(source), estimateLines('x'.repeat(161)), estimateLines('')]).toEqual([4, 3, 1]);
	});
});
