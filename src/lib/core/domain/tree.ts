// The laws of the conversation tree over nodes in memory: paths, logical siblings, descent. Pure and iterative; every walk
// is bounded by the number of nodes, so that damaged data cannot hang a reader (P-095). SPEC.md TREE-04 to TREE-09.
import type { NodeId } from './ids.ts';
import { isVisible, type TreeNode } from './nodes.ts';

/** What the laws ask of a node; a window of a thread is as good as the whole. */
export type TreeEntry = Pick<TreeNode, 'id' | 'parentId' | 'seq' | 'type' | 'deleted'>;

export interface Tree<N extends TreeEntry = TreeEntry> {
	readonly nodesById: ReadonlyMap<NodeId, N>;
	/** By parent id, null for the roots; ordered by `seq`, then id. */
	readonly childrenByParentId: ReadonlyMap<NodeId | null, readonly N[]>;
}

/** The order of siblings. */
export function bySeq(a: TreeEntry, b: TreeEntry): number {
	return a.seq - b.seq || (a.id < b.id ? -1 : 1);
}

/** Children are derived from parents alone (P-047). A node whose parent is not among `nodes` hangs under that absent id. */
export function treeOf<N extends TreeEntry>(nodes: Iterable<N>): Tree<N> {
	const nodesById = new Map<NodeId, N>();
	const childrenByParentId = new Map<NodeId | null, N[]>();
	for (const node of nodes) {
		if (nodesById.has(node.id)) continue;
		nodesById.set(node.id, node);
		const siblings = childrenByParentId.get(node.parentId);
		if (siblings) siblings.push(node);
		else childrenByParentId.set(node.parentId, [node]);
	}
	for (const siblings of childrenByParentId.values()) siblings.sort(bySeq);
	return { nodesById, childrenByParentId };
}

/** Root first, `leafId` last, tombstones included; stops where a parent is missing or comes again. Empty for null. */
export function pathTo<N extends TreeEntry>(tree: Tree<N>, leafId: NodeId | null): N[] {
	const path: N[] = [];
	const seen = new Set<NodeId>();
	for (let id = leafId; id !== null && !seen.has(id);) {
		seen.add(id);
		const node = tree.nodesById.get(id);
		if (!node) break;
		path.push(node);
		id = node.parentId;
	}
	return path.reverse();
}

/** True when the walk from `leafId` ends at a root (P-092). True for null: an empty thread. */
export function reachesRoot(tree: Tree, leafId: NodeId | null): boolean {
	if (leafId === null) return true;
	const first = pathTo(tree, leafId)[0];
	return first !== undefined && first.parentId === null;
}

/** The nearest visible ancestor, null when there is none: what siblings are counted under (E-26, P-080). */
export function logicalParent<N extends TreeEntry>(tree: Tree<N>, id: NodeId): N | null {
	const path = pathTo(tree, id);
	for (let index = path.length - 2; index >= 0; index--) {
		const node = path[index];
		if (node && isVisible(node)) return node;
	}
	return null;
}

/** The visible nodes that count as children of `parentId`: transparent nodes and tombstones are looked through. By `seq`. */
export function logicalChildren<N extends TreeEntry>(tree: Tree<N>, parentId: NodeId | null): N[] {
	const found: N[] = [];
	const open: (NodeId | null)[] = [parentId];
	const seen = new Set<NodeId | null>(open);
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		for (const child of tree.childrenByParentId.get(next) ?? []) {
			if (isVisible(child)) found.push(child);
			else if (!seen.has(child.id)) {
				seen.add(child.id);
				open.push(child.id);
			}
		}
	}
	return found.sort(bySeq);
}

/** The versions of a message, itself among them: what `< n/m >` counts. */
export function logicalSiblings<N extends TreeEntry>(tree: Tree<N>, id: NodeId): N[] {
	return logicalChildren(tree, logicalParent(tree, id)?.id ?? null);
}

/** For each fork, the child last chosen there; device-local. */
export type ForkChoices = ReadonlyMap<NodeId, NodeId>;

/**
 * The node that the cursor goes to when `id` is chosen: at each level the child last viewed, else the one with the largest
 * `seq` (P-079), down to the end; then up again past tombstones and transparent ends, never above `id`.
 */
export function deepestDescendant<N extends TreeEntry>(tree: Tree<N>, id: NodeId, choices: ForkChoices): NodeId {
	const walked: N[] = [];
	const seen = new Set<NodeId>();
	for (let node = tree.nodesById.get(id); node && !seen.has(node.id);) {
		seen.add(node.id);
		walked.push(node);
		const children: readonly N[] = (tree.childrenByParentId.get(node.id) ?? []).filter((child) => hasVisibleBelow(tree, child));
		const chosen = choices.get(node.id);
		node = children.find((child) => child.id === chosen) ?? children.at(-1);
	}
	return walked.findLast((node) => isVisible(node))?.id ?? id;
}

/** True when `node` or anything under it is visible: a branch of tombstones is no place to go to. */
function hasVisibleBelow<N extends TreeEntry>(tree: Tree<N>, node: N): boolean {
	const open: N[] = [node];
	const seen = new Set<NodeId>();
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (isVisible(next)) return true;
		if (seen.has(next.id)) continue;
		seen.add(next.id);
		for (const child of tree.childrenByParentId.get(next.id) ?? []) open.push(child);
	}
	return false;
}
