// What belongs to a branch, what may be cut where, and what a copy of it looks like. Pure and iterative. SPEC.md TREE-14 to TREE-18.
import type { NodeId } from './ids.ts';
import { isVisible, type NodeContent, type TreeNode } from './nodes.ts';
import { withNewIds } from './references.ts';
import { pathTo, type Tree, type TreeEntry } from './tree.ts';

/** The node and everything under it, parents before their children, tombstones and transparent nodes included. Empty when there is no such node. */
export function branchOf<N extends TreeEntry>(tree: Tree<N>, id: NodeId): N[] {
	const top = tree.nodesById.get(id);
	const found: N[] = top ? [top] : [];
	const seen = new Set<NodeId>([id]);
	for (let at = 0; at < found.length; at++) {
		for (const child of tree.childrenByParentId.get(found[at]?.id ?? null) ?? []) {
			if (seen.has(child.id)) continue;
			seen.add(child.id);
			found.push(child);
		}
	}
	return found;
}

/** Everything that lies neither on the path to `leafId` nor under it, in the order of `tree`. */
export function otherBranches<N extends TreeEntry>(tree: Tree<N>, leafId: NodeId): N[] {
	const kept = new Set<NodeId>([...pathTo(tree, leafId), ...branchOf(tree, leafId)].map((node) => node.id));
	return [...tree.nodesById.values()].filter((node) => !kept.has(node.id));
}

/** The ids of tool calls of this stretch that have no result in it: no branch may be cut, copied or gone on with there (I-26). */
export function openCalls(stretch: readonly TreeNode[]): ReadonlySet<string> {
	const open = new Set<string>();
	for (const node of stretch) {
		if (node.deleted) continue;
		if (node.type === 'tool_call') open.add(node.payload.itemId);
		else if (node.type === 'tool_result') open.delete(node.payload.itemId);
	}
	return open;
}

/** True when the stretch has the result of a call that is not in it. */
export function hasLooseResult(stretch: readonly TreeNode[]): boolean {
	const calls = new Set<string>();
	for (const node of stretch) {
		if (node.deleted) continue;
		if (node.type === 'tool_call') calls.add(node.payload.itemId);
		else if (node.type === 'tool_result' && !calls.has(node.payload.itemId)) return true;
	}
	return false;
}

/** A node as a copy will be written. */
export interface NodeCopy {
	readonly id: NodeId;
	readonly parentId: NodeId | null;
	readonly content: NodeContent;
	readonly ts: number;
	readonly copiedFrom: NonNullable<TreeNode['copiedFrom']>;
}

export interface CopyOptions {
	/** What the topmost copies hang under; null makes them roots. */
	readonly under: NodeId | null;
	readonly newId: () => NodeId;
	/** Names of the originals, to be given to their copies (E-55). */
	readonly labels: ReadonlyMap<NodeId, string>;
}

/**
 * Copies of `originals` (parents before their children). Tombstones are left out and their children hang under what stands
 * above; labels in the chain are left out too, since nothing may hang under a label (I-23), and written anew beside their targets.
 */
export function copiesOf(originals: readonly TreeNode[], { under, newId, labels }: CopyOptions): NodeCopy[] {
	const copyIdOf = new Map<NodeId, NodeId>();
	const left = new Map<NodeId, NodeId | null>();
	const kept: TreeNode[] = [];
	for (const node of originals) {
		if (node.deleted || node.type === 'label') left.set(node.id, node.parentId);
		else {
			copyIdOf.set(node.id, newId());
			kept.push(node);
		}
	}
	const placeOf = (parentId: NodeId | null): NodeId | null => {
		let above = parentId;
		const seen = new Set<NodeId>();
		while (above !== null && left.has(above) && !seen.has(above)) {
			seen.add(above);
			above = left.get(above) ?? null;
		}
		return (above === null ? undefined : copyIdOf.get(above)) ?? under;
	};
	const copies = kept.map((node): NodeCopy => ({
		id: copyIdOf.get(node.id) ?? newId(),
		parentId: placeOf(node.parentId),
		content: withNewIds(contentOf(node), (id) => copyIdOf.get(id)),
		ts: node.ts,
		copiedFrom: { threadId: node.threadId, nodeId: node.id }
	}));
	for (const node of kept) {
		const label = labels.get(node.id);
		const targetId = copyIdOf.get(node.id);
		if (label === undefined || targetId === undefined) continue;
		copies.push({
			id: newId(),
			parentId: targetId,
			content: { type: 'label', payload: { targetId, label } },
			ts: node.ts,
			copiedFrom: { threadId: node.threadId, nodeId: node.id }
		});
	}
	return copies;
}

function contentOf({ type, payload }: TreeNode): NodeContent {
	// Type and payload of one node belong together.
	return { type, payload } as NodeContent;
}

/** How many of the nodes a person sees. */
export function countVisible(nodes: readonly Pick<TreeNode, 'type' | 'deleted'>[]): number {
	return nodes.filter(isVisible).length;
}
