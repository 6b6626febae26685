// Mounts `Markdown.svelte` for callers that are no components: the benchmarks measure what the product runs.
import { flushSync, mount, unmount } from 'svelte';
import type { MarkdownLabels } from './labels.ts';
import Markdown from './Markdown.svelte';
import type { MarkdownText } from './markdown-stream.svelte.ts';

export interface MountedMarkdown {
	/** Returns when the DOM shows the text; formulas and colours may follow, and of a long text in slices all but its source. */
	update(next: MarkdownText): void;
	destroy(): void;
}

/** Updates at once instead of once a frame; `inSlices` draws a long text as the product does. */
export function mountMarkdown(
	target: HTMLElement,
	first: MarkdownText,
	options: { readonly labels: MarkdownLabels; readonly inSlices?: boolean }
): MountedMarkdown {
	const { labels, inSlices = false } = options;
	const props = $state({ ...first, labels, schedule: (update: () => void) => update(), isAtOnce: !inSlices });
	const component = mount(Markdown, { target, props });
	flushSync();
	return {
		update: (next) => {
			Object.assign(props, next);
			flushSync();
		},
		destroy: () => void unmount(component)
	};
}
