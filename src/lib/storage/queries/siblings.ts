// Reads the versions of the messages in a window: what stands beside them in the tree. SPEC.md DB-11.
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { labelsByTarget } from '#lib/core/domain/labels.ts';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { rootForkId } from '#lib/core/domain/place.ts';
import { logicalChildren, logicalSiblings, treeOf } from '#lib/core/domain/tree.ts';
import type { BoughDatabase } from '../database.ts';
import type { PathWindow } from './path-window.ts';

/** The roots of a thread: several, when its first question was edited. */
function readRoots(database: BoughDatabase, threadId: ThreadId): Promise<TreeNode[]> {
	return database.nodes.where('[threadId+forkSegmentId+depth]').equals([threadId, rootForkId, 0]).toArray();
}

/** The physical children of all of `ids`, in one read. */
function readChildren(database: BoughDatabase, ids: readonly NodeId[]): Promise<TreeNode[]> {
	return ids.length === 0 ? Promise.resolve([]) : database.nodes.where('parentId').anyOf(ids).toArray();
}

export interface Beside {
	/** Ids of the logical siblings by `seq`, itself among them; nodes without another version are left out. */
	readonly siblingsById: ReadonlyMap<NodeId, readonly NodeId[]>;
	/** The names that messages were given under themselves or on this branch. */
	readonly labelsById: ReadonlyMap<NodeId, string>;
}

/**
 * What stands beside the visible nodes of the window. The children of transparent nodes and tombstones are read until visible
 * ones are met.
 */
export async function readBeside(database: BoughDatabase, threadId: ThreadId, window: PathWindow): Promise<Beside> {
	const known = new Map<NodeId, TreeNode>(window.nodes.map((node) => [node.id, node]));
	// The first visible node's logical parent may lie above the window.
	for (let above = window.nodes[0]; above && above.parentId !== null;) {
		const parent: TreeNode | undefined = await database.nodes.get(above.parentId);
		if (!parent || known.has(parent.id)) break;
		known.set(parent.id, parent);
		if (isVisible(parent)) break;
		above = parent;
	}
	const [roots, children] = await Promise.all([
		known.size > 0 ? readRoots(database, threadId) : [],
		readChildren(database, [...known.keys()])
	]);
	await addDownToVisible(database, known, [...roots, ...children]);
	const tree = treeOf(known.values());
	const siblingsById = new Map<NodeId, readonly NodeId[]>();
	for (const node of window.nodes) {
		if (!isVisible(node)) continue;
		const siblings = logicalSiblings(tree, node.id).map((sibling) => sibling.id);
		// A node that is cut off from its root is nobody's version.
		if (siblings.length > 1 && siblings.includes(node.id)) siblingsById.set(node.id, siblings);
	}
	return { siblingsById, labelsById: labelsByTarget(known.values()) };
}

/** The ids of the visible nodes that count as children of `parent`, by `seq`. */
export async function readLogicalChildren(database: BoughDatabase, parent: TreeNode): Promise<readonly NodeId[]> {
	const known = new Map<NodeId, TreeNode>([[parent.id, parent]]);
	await addDownToVisible(database, known, await readChildren(database, [parent.id]));
	return logicalChildren(treeOf(known.values()), parent.id).map((child) => child.id);
}

/** Adds `found`, and under those that are not visible their children, until visible ones are met. Each node is taken once. */
async function addDownToVisible(database: BoughDatabase, known: Map<NodeId, TreeNode>, found: readonly TreeNode[]): Promise<void> {
	for (let added = found.filter((node) => !known.has(node.id)); added.length > 0;) {
		for (const node of added) known.set(node.id, node);
		const open = added.filter((node) => !isVisible(node)).map((node) => node.id);
		added = (await readChildren(database, open)).filter((node) => !known.has(node.id));
	}
}
