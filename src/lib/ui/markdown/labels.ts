// The words that rendered Markdown shows or speaks; they come from the message catalogues.

export interface MarkdownLabels {
	/** Button of a code block. */
	readonly copy: string;
	/** The same button after it copied. */
	readonly copied: string;
	/** Names code in an unnamed language. */
	readonly code: string;
	/** Names the scroll box of a table. */
	readonly table: string;
	/** Names the scroll box of a formula. */
	readonly formula: string;
	/** Button in place of a remote image. */
	readonly loadImage: string;
	/** Says that a remote image did not load; its address follows. */
	readonly imageFailed: string;
	readonly taskDone: string;
	readonly taskOpen: string;
}
