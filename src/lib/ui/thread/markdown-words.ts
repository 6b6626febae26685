// The words that the parts of a Markdown text are named by.
import { m } from '#lib/i18n/generated/messages.js';
import type { MarkdownLabels } from '../markdown/labels.ts';

export function markdownLabels(): MarkdownLabels {
	return {
		copy: m.markdown_copy(),
		copied: m.markdown_copied(),
		code: m.markdown_code(),
		table: m.markdown_table(),
		formula: m.markdown_formula(),
		loadImage: m.markdown_load_image(),
		imageFailed: m.markdown_image_failed(),
		taskDone: m.markdown_task_done(),
		taskOpen: m.markdown_task_open()
	};
}
