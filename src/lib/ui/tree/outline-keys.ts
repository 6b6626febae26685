// What a key means in the outline: the WAI-ARIA tree pattern, and a key for each thing that can be done. Pure but for the
// letters that were typed last. SPEC.md OUTL-01, OUTL-04.
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { OutlineRow } from '#lib/core/domain/outline-rows.ts';
import type { RowAct } from './row-actions.ts';
import { lineOf } from './tree-words.ts';

export type KeyMeaning =
	| { readonly kind: 'go'; readonly id: NodeId }
	| { readonly kind: 'fold'; readonly isFolded: boolean }
	| { readonly kind: 'unfold-beside' }
	| { readonly kind: 'menu' }
	| { readonly kind: 'act'; readonly act: RowAct };

interface Place {
	readonly rows: readonly OutlineRow[];
	/** Of the active row. */
	readonly index: number;
	readonly isFolded: (row: OutlineRow) => boolean;
}

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Rows that a page is. */
const page = 10;

/** Null for a key that means nothing here. */
export function outlineKey(event: Key, { rows, index, isFolded }: Place): KeyMeaning | null {
	const active = rows[index];
	if (!active) return null;
	if (event.altKey) return event.key === 'Enter' ? { kind: 'act', act: 'point' } : null;
	const go = (to: number): KeyMeaning | null => {
		const row = rows[Math.min(rows.length - 1, Math.max(0, to))];
		return row ? { kind: 'go', id: row.entry.node.id } : null;
	};
	const act = (name: RowAct): KeyMeaning => ({ kind: 'act', act: name });
	const isCommand = event.ctrlKey || event.metaKey;
	switch (event.key) {
		case 'Enter':
			return act(isCommand ? 'edit' : event.shiftKey ? 'go-on' : 'show');
		case 'F10':
			return event.shiftKey ? { kind: 'menu' } : null;
		case 'ContextMenu':
			return { kind: 'menu' };
	}
	if (isCommand) return event.key === 'c' ? act('copy') : null;
	switch (event.key) {
		case 'ArrowDown':
			return go(index + 1);
		case 'ArrowUp':
			return go(index - 1);
		case 'PageDown':
			return go(index + page);
		case 'PageUp':
			return go(index - page);
		case 'Home':
			return go(0);
		case 'End':
			return go(rows.length - 1);
		case 'ArrowRight': {
			if (active.underCount === 0) return null;
			return isFolded(active) ? { kind: 'fold', isFolded: false } : go(index + 1);
		}
		case 'ArrowLeft': {
			if (active.underCount > 0 && !isFolded(active)) return { kind: 'fold', isFolded: true };
			return active.parentRowId === null ? null : { kind: 'go', id: active.parentRowId };
		}
		case '*':
			return { kind: 'unfold-beside' };
		case 'F2':
			return act('label');
		case ' ':
			return act('compare');
		case 'Delete':
			return act(event.shiftKey ? 'delete-branch' : 'delete');
		default:
			return null;
	}
}

/** Letters typed within this long of one another are one word, in milliseconds. */
const wordMs = 700;

/** Typed letters lead to the next row whose line begins with them. */
export function typeAhead() {
	let word = '';
	let lastMs = 0;
	return (
		event: Key & Pick<KeyboardEvent, 'timeStamp'>,
		place: { readonly rows: readonly OutlineRow[]; readonly activeIndex: number }
	): KeyMeaning | null => {
		if (event.ctrlKey || event.metaKey || event.altKey || [...event.key].length !== 1) return null;
		word = event.timeStamp - lastMs > wordMs ? event.key : word + event.key;
		lastMs = event.timeStamp;
		const wanted = word.toLocaleLowerCase();
		// A word that grows may stay where it is; a new one goes on to the next row.
		const first = place.activeIndex + ([...word].length === 1 ? 1 : 0);
		for (let step = 0; step < place.rows.length; step++) {
			const row = place.rows[(first + step) % place.rows.length];
			if (row && lineOf(row.entry.node).toLocaleLowerCase().startsWith(wanted)) return { kind: 'go', id: row.entry.node.id };
		}
		return null;
	};
}
