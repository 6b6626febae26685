// The whole tree of a thread as the tree view shows it: all that can be seen, whatever the damage, each message once. Pure and
// iterative; holds first lines, never bodies. SPEC.md TREE-30 to TREE-34.
import type { NodeId, Stamp } from './ids.ts';
import { isVisible } from './nodes.ts';
import { newestNames, type Naming } from './labels.ts';
import { bySeq, pathTo, treeOf, type Tree, type TreeEntry } from './tree.ts';

/** A node without its body. */
export interface OutlineNode extends TreeEntry {
	readonly ts: number;
	readonly deletedOrd?: Stamp;
	/** The beginning of what it says, on one line; empty when it says nothing in words. */
	readonly line: string;
	/** What belongs to its type: a model, a tool, the code of a notice, the type that it came as; empty for others. */
	readonly name: string;
	/** Only on a label: whom it names, and how. */
	readonly naming?: Naming;
	/** An answer of the built-in Guide. */
	readonly isGuide?: true;
	/** The cut answer that this one goes on with; both are one message on screen. */
	readonly continues?: NodeId;
}

/** Why a part of the tree hangs under nothing: its parent is missing, or it is its own ancestor. */
export type Cut = 'missing-parent' | 'circle';

/** A message that can be seen, and its place among the others that can. */
export interface OutlineEntry {
	readonly node: OutlineNode;
	/** The nearest visible ancestor; null at the top. */
	readonly parentId: NodeId | null;
	/** By `seq`. */
	readonly childIds: readonly NodeId[];
	/** Messages of its branch, itself among them. */
	readonly size: number;
	/** Whether the branch in view leads through it. */
	readonly isOnPath: boolean;
	readonly label: string | null;
	/** Its place among the versions of the message, from 0, and their number. */
	readonly versionIndex: number;
	readonly versionCount: number;
	/** Set on the topmost messages of a part that is cut off. */
	readonly cut: Cut | null;
}

export interface Outline {
	/** Depth first: parents before their children, children by `seq`, parts that are cut off last. */
	readonly entries: readonly OutlineEntry[];
	readonly entriesById: ReadonlyMap<NodeId, OutlineEntry>;
	/** The messages without a visible ancestor, those of cut-off parts last. */
	readonly rootIds: readonly NodeId[];
	/** The message that the branch in view ends at; null when it has none. */
	readonly cursorId: NodeId | null;
	/** Messages that the branch in view does not show. */
	readonly elsewhereCount: number;
}

interface Draft {
	readonly node: OutlineNode;
	readonly parentId: NodeId | null;
	readonly childIds: NodeId[];
	readonly label: string | null;
	readonly cut: Cut | null;
	size: number;
	isOnPath: boolean;
	versionIndex: number;
	versionCount: number;
}

/** `leafId`: the thread's cursor. */
export function outlineOf(nodes: Iterable<OutlineNode>, leafId: NodeId | null): Outline {
	const tree = treeOf(nodes);
	// A target that is not there has no name.
	const labels = newestNames(tree.nodesById.values(), ({ naming }) => (naming && tree.nodesById.has(naming.targetId) ? naming : undefined));
	const draftsById = new Map<NodeId, Draft>();
	const roots: Draft[] = [];
	for (const { node, above, cut } of placed(tree)) {
		const parent = above === null ? undefined : draftsById.get(above);
		const draft: Draft = {
			node,
			parentId: above,
			childIds: [],
			label: labels.get(node.id) ?? null,
			cut: parent ? null : cut,
			size: 1,
			isOnPath: false,
			versionIndex: 0,
			versionCount: 1
		};
		draftsById.set(node.id, draft);
		if (parent) parent.childIds.push(node.id);
		else roots.push(draft);
	}
	const draftOf = (id: NodeId | null) => (id === null ? undefined : draftsById.get(id));
	const inOrder = (a: Draft, b: Draft) => bySeq(a.node, b.node);
	const whole = roots.filter((root) => root.cut === null).sort(inOrder);
	numberVersions(whole);
	for (const draft of [...draftsById.values()].reverse()) {
		const parent = draftOf(draft.parentId);
		if (parent) parent.size += draft.size;
		const children = draft.childIds.flatMap((id) => draftOf(id) ?? []).sort(inOrder);
		numberVersions(children);
		draft.childIds.splice(0, Infinity, ...children.map((child) => child.node.id));
	}
	// A walk that a circle stopped still names the message at its end; from there the outline's own parents lead up.
	const cursorId = pathTo(tree, leafId).findLast(isVisible)?.id ?? null;
	let onPathCount = 0;
	for (let draft = draftOf(cursorId); draft; draft = draftOf(draft.parentId)) {
		draft.isOnPath = true;
		onPathCount += 1;
	}
	const rootIds = [...whole, ...roots.filter((root) => root.cut !== null)].map((root) => root.node.id);
	return {
		entries: depthFirst(rootIds, draftsById),
		entriesById: draftsById,
		rootIds,
		cursorId,
		elsewhereCount: draftsById.size - onPathCount
	};
}

function numberVersions(versions: readonly Draft[]): void {
	for (const [index, version] of versions.entries()) {
		version.versionIndex = index;
		version.versionCount = versions.length;
	}
}

function depthFirst(rootIds: readonly NodeId[], draftsById: ReadonlyMap<NodeId, Draft>): Draft[] {
	const entries: Draft[] = [];
	const open = [...rootIds].reverse();
	for (let id = open.pop(); id !== undefined; id = open.pop()) {
		const draft = draftsById.get(id);
		if (!draft) continue;
		entries.push(draft);
		for (let at = draft.childIds.length - 1; at >= 0; at--) {
			const childId = draft.childIds[at];
			if (childId !== undefined) open.push(childId);
		}
	}
	return entries;
}

interface Placed {
	readonly node: OutlineNode;
	/** The nearest visible ancestor. */
	readonly above: NodeId | null;
	/** Why the part that it is in is cut off. */
	readonly cut: Cut | null;
}

/** Every visible node once, ancestors before descendants: the whole tree, then what hangs under nothing, then circles. */
function placed(tree: Tree<OutlineNode>): Placed[] {
	const found: Placed[] = [];
	const reached = new Set<NodeId>();
	const walk = (tops: readonly OutlineNode[], cut: Cut | null) => {
		const open = tops.map((node) => ({ node, above: null as NodeId | null })).reverse();
		for (let next = open.pop(); next; next = open.pop()) {
			const { node, above } = next;
			if (reached.has(node.id)) continue;
			reached.add(node.id);
			if (isVisible(node)) found.push({ node, above, cut });
			const below = isVisible(node) ? node.id : above;
			for (const child of tree.childrenByParentId.get(node.id) ?? []) open.push({ node: child, above: below });
		}
	};
	walk(tree.childrenByParentId.get(null) ?? [], null);
	for (const [parentId, children] of tree.childrenByParentId) {
		if (parentId !== null && !tree.nodesById.has(parentId)) walk(children, 'missing-parent');
	}
	if (reached.size < tree.nodesById.size) {
		for (const node of tree.nodesById.values()) if (!reached.has(node.id)) walk([earliestInCircle(tree, node)], 'circle');
	}
	return found;
}

/** The node that a circle is opened at: of all that lie on it, the one that came first. `from` hangs on the circle. */
function earliestInCircle(tree: Tree<OutlineNode>, from: OutlineNode): OutlineNode {
	const parentOf = (node: OutlineNode) => (node.parentId === null ? undefined : tree.nodesById.get(node.parentId));
	const seen = new Set<NodeId>();
	let onCircle = from;
	for (let node: OutlineNode | undefined = from; node && !seen.has(node.id); node = parentOf(node)) {
		seen.add(node.id);
		onCircle = parentOf(node) ?? node;
	}
	let earliest = onCircle;
	for (let node = parentOf(onCircle); node && node.id !== onCircle.id; node = parentOf(node)) {
		if (node.seq < earliest.seq || (node.seq === earliest.seq && node.id < earliest.id)) earliest = node;
	}
	return earliest;
}
/** A place where the conversation goes on in several ways. `id`: the message before them; null where it begins in several ways. */
export interface OutlineFork {
	readonly id: NodeId | null;
	readonly branchIds: readonly NodeId[];
}

/** In the order of the outline. */
export function forksOf(outline: Outline): OutlineFork[] {
	const forks: OutlineFork[] = [];
	const wholeRootIds = outline.rootIds.filter((id) => outline.entriesById.get(id)?.cut === null);
	if (wholeRootIds.length > 1) forks.push({ id: null, branchIds: wholeRootIds });
	for (const { node, childIds } of outline.entries) if (childIds.length > 1) forks.push({ id: node.id, branchIds: childIds });
	return forks;
}

/** How many messages the deletion of all branches but the one in view would take: neither on its path nor under its end. */
export function otherBranchesCount(outline: Outline): number {
	const cursor = outline.cursorId === null ? undefined : outline.entriesById.get(outline.cursorId);
	return cursor ? outline.elsewhereCount - (cursor.size - 1) : 0;
}
