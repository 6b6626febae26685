// The words of rendered Markdown for tests.
import type { MarkdownLabels } from './labels.ts';

export const testLabels: MarkdownLabels = {
	copy: 'Copy',
	copied: 'Copied',
	code: 'Code',
	table: 'Table',
	formula: 'Formula',
	loadImage: 'Load image',
	imageFailed: 'The image did not load:',
	taskDone: 'Done',
	taskOpen: 'Open'
};
