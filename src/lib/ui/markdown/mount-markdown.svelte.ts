// Mounts `Markdown.svelte` for callers that are no components, and updates it at once instead of once a frame: the benchmarks
// measure what the product runs.
import { flushSync, mount, unmount } from 'svelte';
import type { MarkdownLabels } from './labels.ts';
import Markdown from './Markdown.svelte';
import type { MarkdownText } from './markdown-stream.svelte.ts';

export interface MountedMarkdown {
	/** Returns when the DOM shows the text; formulas and colours may follow. */
	update(next: MarkdownText): void;
	destroy(): void;
}

export function mountMarkdown(target: HTMLElement, first: MarkdownText, options: { readonly labels: MarkdownLabels }): MountedMarkdown {
	const props = $state({ ...first, labels: options.labels, schedule: (update: () => void) => update() });
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
