// Single keys on a message that has the focus: `j` and `k` walk, `[` and `]` choose a version, `e` edits, `t` shows the tree.

interface Ways {
	/** False while nothing can be changed. */
	readonly canEdit: boolean;
	readonly onedit: (nodeId: string | null) => void;
	readonly ontree: () => void;
	/** Esc; undefined where it means nothing. */
	readonly onleave: (() => void) | undefined;
}

/** Acts on the key, if it means something here. `article` is the message's element. */
export function messageKey(event: KeyboardEvent, { canEdit, onedit, ontree, onleave }: Ways): void {
	const { target, currentTarget: article } = event;
	if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !(article instanceof HTMLElement)) return;
	if (target instanceof HTMLElement && target.closest('textarea, input, pre, [role=menu]')) return;
	const go = (element: Element | null | undefined) => element instanceof HTMLElement && (event.preventDefault(), element.focus());
	switch (event.key) {
		case '[':
		case ']': {
			const button = article.querySelector(`.versions [data-step="${event.key === '[' ? '-1' : '1'}"]`);
			if (!(button instanceof HTMLElement)) return;
			event.preventDefault();
			button.focus();
			button.click();
			return;
		}
		case 'j':
			go(article.nextElementSibling);
			return;
		case 'k':
			go(article.previousElementSibling);
			return;
		case 't':
			event.preventDefault();
			ontree();
			return;
		case 'e':
			if (article.dataset['kind'] !== 'question' || !canEdit) return;
			event.preventDefault();
			onedit(article.dataset['node'] ?? null);
			return;
		case 'Escape':
			if (!onleave) return;
			event.preventDefault();
			onleave();
	}
}
