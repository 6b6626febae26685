// The attachment that keeps a block's element showing its block.
import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import { BlockView, type MarkdownLibraries } from './block-view.ts';
import type { MarkdownLabels } from './labels.ts';
import type { MarkdownBlock } from './tail-lexer.ts';

/** `read` is called in an effect of its own: the element's view lives on when the block becomes another object. */
export function showBlock(
	read: () => { readonly block: MarkdownBlock; readonly labels: MarkdownLabels },
	readLibraries: () => MarkdownLibraries
): Attachment<HTMLElement> {
	return (element) => {
		const view = new BlockView(element, untrack(readLibraries));
		$effect(() => {
			const { block, labels } = read();
			view.show(block, labels);
		});
		return () => view.destroy();
	};
}
