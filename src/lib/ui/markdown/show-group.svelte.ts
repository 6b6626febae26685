// The attachment that keeps a group's element showing its group.
import { untrack } from 'svelte';
import type { Attachment } from 'svelte/attachments';
import type { BlockGroup } from './block-groups.ts';
import type { BlockTools } from './block-view.ts';
import { GroupView } from './group-view.ts';
import type { MarkdownLabels } from './labels.ts';

/** `read` is called in an effect of its own: the element's view lives on when the group becomes another object. */
export function showGroup(
	read: () => { readonly group: BlockGroup; readonly labels: MarkdownLabels },
	readTools: () => BlockTools
): Attachment<HTMLElement> {
	return (element) => {
		const view = new GroupView(element, untrack(readTools));
		$effect(() => {
			const { group, labels } = read();
			view.show(group, labels);
		});
		return () => view.destroy();
	};
}
