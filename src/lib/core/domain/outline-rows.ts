// How an outline is written down: a message's biggest branch goes straight on, the others stand before it, one step further in.
// So a branch of n messages is at most log2(n) steps in, however often it forks (heavy paths: Sleator and Tarjan 1983). The
// shape does not depend on the branch in view, so nothing moves when another one is chosen. SPEC.md TREE-36 to TREE-39.
import type { NodeId } from './ids.ts';
import type { Outline, OutlineEntry } from './outline.ts';

/**
 * One row. Its line is the straight run of messages that it stands in; the first one is the line's head, under which, as in a
 * tree of a screen reader, the rest of the line stands and the lines that leave it.
 */
export interface OutlineRow {
	readonly entry: OutlineEntry;
	/** Whether its line begins with it. */
	readonly isHead: boolean;
	/** Steps to the side, from 0. */
	readonly indent: number;
	/** Depth in the tree of heads, from 1. */
	readonly level: number;
	/** The row that this one stands under. */
	readonly parentRowId: NodeId | null;
	/** Place among the rows under `parentRowId`, from 1, and their number. */
	readonly position: number;
	readonly setSize: number;
	/** Rows under this one, folded or not; more than 0 on the head of a line that can be folded. */
	readonly underCount: number;
}

/** All rows, nothing folded. `isShown` says what a filter lets through; what stands under a hidden message stands under the nearest shown one. */
export function rowsOf(outline: Outline, isShown: (entry: OutlineEntry) => boolean = () => true): OutlineRow[] {
	const { children, roots } = shownForest(outline, isShown);
	const childrenOf = (entry: OutlineEntry) => children.get(entry.node.id) ?? [];
	const sizes = new Map<NodeId, number>();
	for (const entry of [...outline.entries].reverse()) {
		if (!isShown(entry)) continue;
		sizes.set(
			entry.node.id,
			childrenOf(entry).reduce((sum, child) => sum + (sizes.get(child.node.id) ?? 0), 1)
		);
	}
	const sizeOf = (entry: OutlineEntry) => sizes.get(entry.node.id) ?? 0;

	interface Step {
		readonly entry: OutlineEntry;
		readonly indent: number;
		readonly level: number;
		readonly headId: NodeId | null;
		readonly isHead: boolean;
	}
	const drafts: { -readonly [K in keyof OutlineRow]: OutlineRow[K] }[] = [];
	const counts = new Map<NodeId | null, number>();
	const open: Step[] = heaviestLast(roots, sizeOf)
		.map((entry, at, all) => {
			// Beginnings that are versions of one another stand as versions do elsewhere.
			const isVersion = entry.parentId === null && entry.cut === null && at < all.length - 1;
			return { entry, indent: isVersion && entry.versionCount > 1 ? 1 : 0, level: 1, headId: null, isHead: true };
		})
		.reverse();
	for (let step = open.pop(); step; step = open.pop()) {
		const { entry, indent, level, headId, isHead } = step;
		const position = (counts.get(headId) ?? 0) + 1;
		counts.set(headId, position);
		drafts.push({ entry, isHead, indent, level, parentRowId: headId, position, setSize: 0, underCount: isHead ? sizeOf(entry) - 1 : 0 });
		// What stands under a line stands under its head, one level further down, straight on or to the side.
		const under = { level: isHead ? level + 1 : level, headId: isHead ? entry.node.id : headId };
		const ways = heaviestLast(childrenOf(entry), sizeOf);
		const straight = ways.at(-1);
		if (straight) open.push({ entry: straight, indent, ...under, isHead: false });
		for (const side of ways.slice(0, -1).reverse()) open.push({ entry: side, indent: indent + 1, ...under, isHead: true });
	}
	for (const draft of drafts) draft.setSize = counts.get(draft.parentRowId) ?? 0;
	return drafts;
}

/** Of equals the newest goes straight on. */
function heaviestLast(entries: readonly OutlineEntry[], sizeOf: (entry: OutlineEntry) => number): OutlineEntry[] {
	let heaviest = entries.at(-1);
	for (const entry of entries) if (heaviest && sizeOf(entry) > sizeOf(heaviest)) heaviest = entry;
	return heaviest ? [...entries.filter((entry) => entry !== heaviest), heaviest] : [];
}

function shownForest(outline: Outline, isShown: (entry: OutlineEntry) => boolean) {
	const children = new Map<NodeId, OutlineEntry[]>();
	const roots: OutlineEntry[] = [];
	/** For each message the nearest shown one, itself or above. */
	const shownAt = new Map<NodeId, NodeId | null>();
	for (const entry of outline.entries) {
		const above = entry.parentId === null ? null : (shownAt.get(entry.parentId) ?? null);
		const isIn = isShown(entry);
		shownAt.set(entry.node.id, isIn ? entry.node.id : above);
		if (!isIn) continue;
		const siblings = above === null ? undefined : children.get(above);
		if (siblings) siblings.push(entry);
		else if (above === null) roots.push(entry);
		else children.set(above, [entry]);
	}
	return { children, roots };
}

/** The rows that are left when what stands under a folded row is hidden. */
export function unfoldedRows(rows: readonly OutlineRow[], isFolded: (row: OutlineRow) => boolean): OutlineRow[] {
	const left: OutlineRow[] = [];
	let foldedLevel = Infinity;
	for (const row of rows) {
		if (row.level > foldedLevel) continue;
		left.push(row);
		foldedLevel = row.underCount > 0 && isFolded(row) ? row.level : Infinity;
	}
	return left;
}

/** The message itself when it is shown, else the nearest shown one above it; null when there is none (E-62). */
export function nearestShown(outline: Outline, id: NodeId | null, isShown: (entry: OutlineEntry) => boolean): NodeId | null {
	for (let entry = id === null ? undefined : outline.entriesById.get(id); entry;) {
		if (isShown(entry)) return entry.node.id;
		entry = entry.parentId === null ? undefined : outline.entriesById.get(entry.parentId);
	}
	return null;
}

export type OutlineFilter = 'all' | 'questions' | 'labelled';

/** What a filter and a search let through; the search looks for its words as they are in first lines, names and labels. */
export function shownBy(filter: OutlineFilter, search: string): (entry: OutlineEntry) => boolean {
	const wanted = search.trim().toLocaleLowerCase();
	return ({ node, label }) => {
		if (filter === 'questions' && node.type !== 'user_message') return false;
		if (filter === 'labelled' && label === null) return false;
		return wanted === '' || `${label ?? ''}\n${node.line}\n${node.name}`.toLocaleLowerCase().includes(wanted);
	};
}
