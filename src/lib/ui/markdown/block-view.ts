// Shows one block in its element: appends to open code, patches what is open, and finishes what is closed (formulas, colours).
// Runs in a tab. Keeps MD-08, MD-23 to MD-26, MD-33.
import type { Highlight } from './highlighter.ts';
import type { MarkdownLabels } from './labels.ts';
import type { TexToMath } from './math-typesetter.ts';
import { patchChildren } from './patch-children.ts';
import { hasFormulaSource, renderBlocks } from './render-block.ts';
import type { SliceQueue } from './slices.ts';
import type { MarkdownBlock } from './tail-lexer.ts';

/** Longer code stays plain: colouring it would hold up the page for more than a few frames. */
export const longestHighlightedCode = 30_000;

/** What the blocks of a message share. */
export interface BlockTools {
	readonly libraries: MarkdownLibraries;
	readonly slices: SliceQueue;
}

export class BlockView {
	readonly #element: HTMLElement;
	readonly #tools: BlockTools;
	/** Place in the message, for the order of late work. */
	readonly #position: number;
	#labels: MarkdownLabels | undefined;
	#shown: MarkdownBlock | undefined;
	#hasAskedForColors = false;
	#cancelColors: (() => void) | undefined;
	#cancelFormulas: (() => void) | undefined;
	#isDestroyed = false;

	constructor(element: HTMLElement, tools: BlockTools, position: number) {
		this.#element = element;
		this.#tools = tools;
		this.#position = position;
	}

	/** Answers whether the element shows the block now; otherwise it has to be rendered and handed to `fill`. */
	take(block: MarkdownBlock, labels: MarkdownLabels): boolean {
		const before = this.#labels && isSameLabels(this.#labels, labels) ? this.#shown : undefined;
		this.#labels = labels;
		this.#shown = block;
		if (before === block) return true;
		this.#hasAskedForColors = false;
		return before?.tokens === block.tokens || this.#growCode(before, block);
	}

	fill(fragment: DocumentFragment): void {
		const isFormulaWaiting = !this.#tools.libraries.texToMath && hasFormulaSource(fragment);
		patchChildren(this.#element, fragment);
		if (isFormulaWaiting) void this.#fillAgainWithFormulas();
	}

	/** Call when the element shows its block. */
	colorWhenIdle(): void {
		if (this.#hasAskedForColors || !this.#shown?.closed) return;
		this.#hasAskedForColors = true;
		this.#cancelColors?.();
		if (this.#element.querySelector('code[data-language]')) this.#addLateWork();
	}

	remove(): void {
		this.destroy();
		this.#element.remove();
	}

	destroy(): void {
		this.#isDestroyed = true;
		this.#cancelColors?.();
		this.#cancelFormulas?.();
	}

	/** The fast way for a code block that is being written. Answers whether it could go it. */
	#growCode(before: MarkdownBlock | undefined, block: MarkdownBlock): boolean {
		const code = onlyCode(block);
		const codeBefore = before && onlyCode(before);
		if (!code || !codeBefore || code.lang !== codeBefore.lang) return false;
		const node = this.#element.querySelector('.code-body > code')?.firstChild;
		if (!(node instanceof Text)) return false;
		const text = block.closed ? code.text : withoutFenceInTheMaking(code.text);
		if (text.startsWith(node.data)) node.appendData(text.slice(node.length));
		else node.data = text;
		return true;
	}

	async #fillAgainWithFormulas(): Promise<void> {
		await this.#tools.libraries.loadTexToMath();
		if (this.#isDestroyed) return;
		this.#cancelFormulas?.();
		this.#cancelFormulas = this.#tools.slices.add({
			element: this.#element,
			position: this.#position,
			isLate: false,
			run: () => {
				if (!this.#shown || !this.#labels || !hasFormulaSource(this.#element)) return;
				const options = { labels: this.#labels, texToMath: this.#tools.libraries.texToMath };
				const [fragment] = renderBlocks([this.#shown.tokens], options);
				if (fragment) this.fill(fragment);
				this.#hasAskedForColors = false;
				this.colorWhenIdle();
			}
		});
	}

	#addLateWork(): void {
		this.#cancelColors = this.#tools.slices.add({
			element: this.#element,
			position: this.#position,
			isLate: true,
			run: () => this.#color()
		});
	}

	#color(): void {
		const { libraries } = this.#tools;
		const { highlight } = libraries;
		if (!highlight) {
			void libraries.loadHighlight().then(() => {
				if (!this.#isDestroyed) this.#addLateWork();
			});
			return;
		}
		if (!this.#shown?.closed) return;
		for (const code of this.#element.querySelectorAll<HTMLElement>('code[data-language]')) {
			const text = code.textContent;
			const language = code.dataset['language'] ?? '';
			const colored = text.length <= longestHighlightedCode && code.childElementCount === 0 ? highlight(text, language) : undefined;
			if (colored) code.replaceChildren(colored);
		}
	}
}

/** What a message loads when it first needs it. One for all blocks of a message: a loaded library then answers at once. */
export class MarkdownLibraries {
	#texToMath: TexToMath | undefined;
	#highlight: Highlight | undefined;

	get texToMath(): TexToMath | undefined {
		return this.#texToMath;
	}

	get highlight(): Highlight | undefined {
		return this.#highlight;
	}

	async loadTexToMath(): Promise<TexToMath> {
		return (this.#texToMath ??= (await import('./math-typesetter.ts')).texToMath);
	}

	async loadHighlight(): Promise<Highlight> {
		return (this.#highlight ??= (await import('./highlighter.ts')).createHighlighter());
	}
}

function onlyCode({ tokens }: MarkdownBlock): { text: string; lang: string } | undefined {
	const visible = tokens.filter(({ type }) => type !== 'space' && type !== 'def');
	const [token] = visible;
	if (visible.length !== 1 || token?.type !== 'code' || token.text === undefined) return undefined;
	return { text: token.text.replace(/\n$/, ''), lang: token.lang ?? '' };
}

/** One or two backticks on the last line are about to close the fence: they are not shown as code for a moment. */
function withoutFenceInTheMaking(text: string): string {
	return text.replace(/(?:^|\n) {0,3}(?:`{1,2}|~{1,2})$/, '');
}

function isSameLabels(before: MarkdownLabels, after: MarkdownLabels): boolean {
	return before === after || JSON.stringify(before) === JSON.stringify(after);
}
