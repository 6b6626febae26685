// Bundles the blocks of a message: the browser lays out, skips and draws a group as one. Pure, runs anywhere. Keeps MD-50, MD-51
// and MD-55.
import type { MarkdownBlock } from './tail-lexer.ts';

/** The same object as before means that no block of it changed. */
export interface BlockGroup {
	/** Position among the groups. */
	readonly key: number;
	readonly blocks: readonly MarkdownBlock[];
	/** The group came with so much else that it is drawn when its turn comes. */
	readonly waits: boolean;
}

/**
 * Few enough to be drawn within a slice, many enough that a long message has few groups: laying out a message costs a little
 * for each child. A block never changes its group, since its position decides.
 */
export const blocksPerGroup = 8;

/** `waits` is for the groups that `before` does not have. */
export function groupBlocks(
	blocks: readonly MarkdownBlock[],
	before: readonly BlockGroup[],
	{ waits }: { readonly waits: boolean }
): readonly BlockGroup[] {
	return Array.from({ length: Math.ceil(blocks.length / blocksPerGroup) }, (_, key) => {
		const members = blocks.slice(key * blocksPerGroup, (key + 1) * blocksPerGroup);
		const previous = before[key];
		return previous && isSameBlocks(previous.blocks, members) ? previous : { key, blocks: members, waits: previous?.waits ?? waits };
	});
}

/** The source that stands in the place of a group until it is drawn. */
export function groupSource({ blocks }: BlockGroup): string {
	return blocks.map(({ raw }) => raw.trimEnd()).join('\n\n');
}

/** A line of this many characters fills the column on most screens. */
const charactersPerLine = 80;

/** About how many lines a text takes on the screen. */
export function estimateLines(source: string): number {
	let lines = 0;
	for (const line of source.split('\n')) lines += Math.max(1, Math.ceil(line.length / charactersPerLine));
	return lines;
}

function isSameBlocks(before: readonly MarkdownBlock[], after: readonly MarkdownBlock[]): boolean {
	return before.length === after.length && before.every((block, index) => block === after[index]);
}
