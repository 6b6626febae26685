// Shows one block in its element: appends to open code, patches what is open, and finishes what is closed (formulas, colours).
// Runs in a tab. Keeps MD-08, MD-23 to MD-26, MD-33.
import type { Highlight } from './highlighter.ts';
import { whenIdle } from './idle.ts';
import type { MarkdownLabels } from './labels.ts';
import type { TexToMath } from './math-typesetter.ts';
import { patchChildren } from './patch-children.ts';
import { hasFormulaSource, renderBlock } from './render-block.ts';
import type { MarkdownBlock } from './tail-lexer.ts';

/** Longer code stays plain: colouring it would hold up the page for more than a few frames. */
export const longestHighlightedCode = 30_000;

export class BlockView {
	readonly #element: HTMLElement;
	readonly #libraries: MarkdownLibraries;
	#labels: MarkdownLabels | undefined;
	#shown: MarkdownBlock | undefined;
	#cancelHighlight: (() => void) | undefined;
	#isDestroyed = false;

	constructor(element: HTMLElement, libraries: MarkdownLibraries) {
		this.#element = element;
		this.#libraries = libraries;
	}

	show(block: MarkdownBlock, labels: MarkdownLabels): void {
		const before = this.#labels && isSameLabels(this.#labels, labels) ? this.#shown : undefined;
		this.#labels = labels;
		this.#shown = block;
		if (before === block) return;
		if (before?.tokens !== block.tokens && !this.#growCode(before, block)) this.#render(block, labels);
		if (block.closed) this.#highlightWhenIdle();
	}

	destroy(): void {
		this.#isDestroyed = true;
		this.#cancelHighlight?.();
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

	#render(block: MarkdownBlock, labels: MarkdownLabels): void {
		const fragment = renderBlock(block.tokens, { labels, texToMath: this.#libraries.texToMath });
		const isFormulaWaiting = !this.#libraries.texToMath && hasFormulaSource(fragment);
		patchChildren(this.#element, fragment);
		if (isFormulaWaiting) void this.#renderWithFormulas();
	}

	async #renderWithFormulas(): Promise<void> {
		await this.#libraries.loadTexToMath();
		if (this.#isDestroyed || !this.#shown || !this.#labels || !hasFormulaSource(this.#element)) return;
		this.#render(this.#shown, this.#labels);
	}

	#highlightWhenIdle(): void {
		this.#cancelHighlight?.();
		if (!this.#element.querySelector('code[data-language]')) return;
		this.#cancelHighlight = whenIdle(() => void this.#highlight());
	}

	async #highlight(): Promise<void> {
		const highlight = await this.#libraries.loadHighlight();
		if (this.#isDestroyed || !this.#shown?.closed) return;
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
