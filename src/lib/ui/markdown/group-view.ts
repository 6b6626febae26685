// Shows a group of blocks in its element: at once, or its source until its turn comes. Runs in a tab. Keeps MD-08, MD-50 to MD-56.
import { estimateLines, groupSource, type BlockGroup } from './block-groups.ts';
import { BlockView, type BlockTools } from './block-view.ts';
import type { MarkdownLabels } from './labels.ts';
import { renderBlocks } from './render-block.ts';

/** So long a group waits for the typesetter of its formulas, which would move the lines if it came later. */
const longestWaitForTypesetterMs = 1000;

export class GroupView {
	readonly #element: HTMLElement;
	readonly #tools: BlockTools;
	#group: BlockGroup | undefined;
	#labels: MarkdownLabels | undefined;
	#views: BlockView[] = [];
	/** Undefined before the first showing. */
	#isWaiting: boolean | undefined;
	#hasWaitedForTypesetter = false;
	#cancelTurn: (() => void) | undefined;

	constructor(element: HTMLElement, tools: BlockTools) {
		this.#element = element;
		this.#tools = tools;
	}

	show(group: BlockGroup, labels: MarkdownLabels): void {
		this.#group = group;
		this.#labels = labels;
		if (this.#isWaiting === undefined) {
			this.#isWaiting = group.waits;
			if (group.waits) this.#wait();
		}
		if (this.#isWaiting) this.#showSource(group);
		else this.#showBlocks(group, labels);
	}

	destroy(): void {
		this.#cancelTurn?.();
		this.#group = undefined;
		for (const view of this.#views) view.destroy();
	}

	#wait(): void {
		this.#element.dataset['waiting'] = '';
		this.#cancelTurn = this.#tools.slices.add({
			element: this.#element,
			position: this.#group?.key ?? 0,
			isLate: false,
			run: () => this.#takeTurn()
		});
	}

	/** Found and read aloud like any text, but not seen: what is in view is drawn within moments. */
	#showSource(group: BlockGroup): void {
		const source = groupSource(group);
		this.#element.textContent = source;
		// Out of view the browser takes this height until it has laid the group out once.
		this.#element.style.setProperty('contain-intrinsic-block-size', `auto ${estimateLines(source)}lh`);
	}

	#takeTurn(): void {
		if (!this.#group || !this.#labels) return;
		const { libraries } = this.#tools;
		if (!libraries.texToMath && !this.#hasWaitedForTypesetter && /\$|\\[([]/.test(this.#element.textContent)) {
			this.#hasWaitedForTypesetter = true;
			void settledWithin(libraries.loadTexToMath(), longestWaitForTypesetterMs).then(() => {
				if (this.#group) this.#wait();
			});
			return;
		}
		this.#isWaiting = false;
		delete this.#element.dataset['waiting'];
		this.#element.replaceChildren();
		this.#showBlocks(this.#group, this.#labels);
	}

	/** What has to be rendered is rendered together: a sanitising has a price of its own. */
	#showBlocks({ key, blocks }: BlockGroup, labels: MarkdownLabels): void {
		const stale: { readonly view: BlockView; readonly tokens: (typeof blocks)[number]['tokens'] }[] = [];
		for (const [index, block] of blocks.entries()) {
			const view = (this.#views[index] ??= new BlockView(this.#createBlock(), this.#tools, key));
			if (!view.take(block, labels)) stale.push({ view, tokens: block.tokens });
		}
		const fragments = renderBlocks(
			stale.map(({ tokens }) => tokens),
			{ labels, texToMath: this.#tools.libraries.texToMath }
		);
		for (const [index, { view }] of stale.entries()) {
			const fragment = fragments[index];
			if (fragment) view.fill(fragment);
		}
		for (const view of this.#views.splice(blocks.length)) view.remove();
		for (const view of this.#views) view.colorWhenIdle();
	}

	#createBlock(): HTMLElement {
		const element = document.createElement('div');
		element.className = 'block';
		element.dir = 'auto';
		this.#element.append(element);
		return element;
	}
}

/** Resolves when `work` is done, failed, or took too long. */
function settledWithin(work: Promise<unknown>, limitMs: number): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, limitMs);
		const settle = () => {
			clearTimeout(timer);
			resolve();
		};
		work.then(settle, settle);
	});
}
