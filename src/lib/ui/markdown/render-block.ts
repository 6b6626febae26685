// Makes the DOM of blocks: marked's HTML, sanitised, then dressed by DOM calls alone. Runs in a tab. Keeps MD-12 to MD-18, MD-42.
import { createCodeBlock } from './code-block.ts';
import { detectLanguage } from './detect-language.ts';
import type { MarkdownLabels } from './labels.ts';
import { tokensToHtml, type Token } from './markdown-parser.ts';
import { sourceToTex } from './math-syntax.ts';
import type { TexToMath } from './math-typesetter.ts';
import { holdBackRemoteImages } from './remote-image.ts';
import { sanitizeToFragment } from './sanitize.ts';

export interface RenderOptions {
	readonly labels: MarkdownLabels;
	/** Undefined until the typesetter is loaded: formulas show their source. */
	readonly texToMath: TexToMath | undefined;
}

/**
 * A fragment for the tokens of each block. What comes of Markdown alone is sanitised in one go, each block in an element of its
 * own; a block with HTML of its own, which may leave elements open, never shares a document with others.
 */
export function renderBlocks(blocks: readonly (readonly Token[])[], options: RenderOptions): readonly DocumentFragment[] {
	const sharing = blocks.filter((tokens) => !mayHoldHtml(tokens));
	const shared = new Map(renderTogether(sharing, options).map((fragment, index) => [sharing[index], fragment]));
	return blocks.map((tokens) => shared.get(tokens) ?? dress(sanitizeToFragment(tokensToHtml(tokens)), options));
}

/** Empty where there is nothing to share, or the blocks came out of the sanitiser in another number. */
function renderTogether(blocks: readonly (readonly Token[])[], options: RenderOptions): readonly DocumentFragment[] {
	if (blocks.length < 2) return [];
	const whole = sanitizeToFragment(blocks.map((tokens) => `<div>${tokensToHtml(tokens)}</div>`).join(''));
	const holders = [...whole.childNodes];
	if (holders.length !== blocks.length || !holders.every((holder) => holder.nodeName === 'DIV')) return [];
	dress(whole, options);
	return holders.map((holder) => {
		const fragment = whole.ownerDocument.createDocumentFragment();
		fragment.append(...holder.childNodes);
		return fragment;
	});
}

/** True for every source that holds HTML, and for some that do not. */
function mayHoldHtml(tokens: readonly Token[]): boolean {
	return tokens.some(({ type, raw }) => type !== 'code' && raw.includes('<'));
}

function dress(fragment: DocumentFragment, options: RenderOptions): DocumentFragment {
	const { labels, texToMath } = options;
	holdBackRemoteImages(fragment, labels);
	dressLinks(fragment);
	dressEmphasis(fragment);
	dressTasks(fragment, labels);
	dressTables(fragment, labels);
	if (texToMath) typesetFormulas(fragment, texToMath, labels);
	dressCode(fragment, labels);
	return fragment;
}

/** True when the fragment or element still shows the source of a formula. */
export function hasFormulaSource(root: ParentNode): boolean {
	return root.querySelector('code.math-inline, code.math-display') !== null;
}

function dressLinks(fragment: DocumentFragment): void {
	for (const link of fragment.querySelectorAll('a')) {
		link.rel = 'noopener noreferrer';
		link.target = '_blank';
	}
}

/** Emphasis in a script without italics says so, whatever the language around it is. */
function dressEmphasis(fragment: DocumentFragment): void {
	for (const emphasis of fragment.querySelectorAll<HTMLElement>('em, i, cite, dfn, var')) {
		const language = detectLanguage(emphasis.textContent);
		if (language) emphasis.lang = language;
	}
}

function dressTasks(fragment: DocumentFragment, labels: MarkdownLabels): void {
	for (const mark of fragment.querySelectorAll('span.task-done, span.task-open')) {
		mark.role = 'img';
		mark.ariaLabel = mark.className === 'task-done' ? labels.taskDone : labels.taskOpen;
		mark.closest('li')?.classList.add('task-item');
	}
}

function dressTables(fragment: DocumentFragment, labels: MarkdownLabels): void {
	for (const table of fragment.querySelectorAll('table')) {
		if (table.parentElement?.closest('table')) continue;
		wrap(table, createScrollBox('div', 'table-scroll', labels.table));
	}
}

/** A formula with an error keeps its source, in the ordinary look of code. */
function typesetFormulas(fragment: DocumentFragment, texToMath: TexToMath, labels: MarkdownLabels): void {
	for (const source of fragment.querySelectorAll('code.math-inline, code.math-display')) {
		const isDisplay = source.className === 'math-display';
		const math = texToMath(sourceToTex(source.textContent), { display: isDisplay });
		source.className = 'math-error';
		if (!math) continue;
		source.replaceWith(math);
		const box = isDisplay ? createScrollBox('span', 'math-scroll', labels.formula) : document.createElement('span');
		box.dir = 'ltr';
		wrap(math, box);
	}
}

function dressCode(fragment: DocumentFragment, labels: MarkdownLabels): void {
	// It reads from left to right, and a text that begins with it still has the direction of its words.
	for (const code of fragment.querySelectorAll<HTMLElement>(':not(pre) > code')) code.dir = 'ltr';
	for (const body of fragment.querySelectorAll('pre')) {
		const code = body.firstElementChild;
		if (code?.localName !== 'code') continue;
		const language = code.className.replace(/^language-/, '');
		body.replaceWith(createCodeBlock(code.textContent.replace(/\n$/, ''), language, labels));
	}
}

function createScrollBox(name: 'div' | 'span', className: string, label: string): HTMLElement {
	const box = document.createElement(name);
	box.className = className;
	box.tabIndex = 0;
	box.role = 'group';
	box.ariaLabel = label;
	return box;
}

function wrap(element: Element, box: HTMLElement): void {
	element.replaceWith(box);
	box.append(element);
}
