// Finds the leaf that a chosen message leads to, jumping from fork to fork instead of node to node. SPEC.md DB-12; the law
// itself is `deepestDescendant` in core/domain/tree.ts, and a property test holds the two together.
import Dexie from 'dexie';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import type { BoughDatabase } from '../database.ts';
import { hasHints } from './path-window.ts';

/** The leaf for `start`: at each fork the child last viewed, else the one with the largest `seq`; never above `start`. */
export async function findDeepestLeaf(database: BoughDatabase, threadId: ThreadId, start: TreeNode): Promise<NodeId> {
	const visited = new Set<NodeId>();
	let node = start;
	while (!visited.has(node.id)) {
		visited.add(node.id);
		const next = await nextFork(database, threadId, node);
		if (next === null) break;
		if (next.kind === 'end') {
			node = next.node;
			break;
		}
		const child = await chosenChild(database, threadId, next.parentId);
		if (child === null) {
			node = (await database.nodes.get(next.parentId)) ?? node;
			break;
		}
		node = child;
	}
	return climbToVisible(database, node, start.id);
}

/** The first place under `node` where the way is not obvious, or the end of its chain; null when `node` has no children. */
async function nextFork(
	database: BoughDatabase,
	threadId: ThreadId,
	node: TreeNode
): Promise<{ kind: 'fork'; parentId: NodeId } | { kind: 'end'; node: TreeNode } | null> {
	if (!hasHints(node)) return { kind: 'fork', parentId: node.id };
	const inSegment = (from: number, to: number | typeof Dexie.maxKey) =>
		database.nodes
			.where('[threadId+segmentId+depth]')
			.between([threadId, node.segmentId, from], [threadId, node.segmentId, to], true, true);
	const head = await database.nodes
		.where('[threadId+forkSegmentId+depth]')
		.between([threadId, node.segmentId, node.depth + 1], [threadId, node.segmentId, Dexie.maxKey])
		.first();
	const last = await inSegment(node.depth, Dexie.maxKey).last();
	const endDepth = head ? head.depth - 1 : (last?.depth ?? node.depth);
	// Two devices may have gone on with the same segment: then a depth comes twice, and only the parent chain tells.
	const isChain = (await inSegment(node.depth, endDepth).count()) === endDepth - node.depth + 1;
	if (!isChain) return { kind: 'fork', parentId: node.id };
	if (head?.parentId != null) return { kind: 'fork', parentId: head.parentId };
	return last && last.id !== node.id ? { kind: 'end', node: last } : null;
}

async function chosenChild(database: BoughDatabase, threadId: ThreadId, parentId: NodeId): Promise<TreeNode | null> {
	const children = await database.nodes.where('parentId').equals(parentId).sortBy('seq');
	const living: TreeNode[] = [];
	for (const child of children) if (await leadsToVisible(database, child)) living.push(child);
	const choice = await database.forkChoices.get([threadId, parentId]);
	return living.find((child) => child.id === choice?.childId) ?? living.at(-1) ?? null;
}

async function leadsToVisible(database: BoughDatabase, node: TreeNode): Promise<boolean> {
	const seen = new Set<NodeId>();
	for (let open: TreeNode[] = [node]; open.length > 0;) {
		if (open.some(isVisible)) return true;
		const ids = open.map((next) => next.id).filter((id) => !seen.has(id));
		for (const id of ids) seen.add(id);
		open = ids.length === 0 ? [] : await database.nodes.where('parentId').anyOf(ids).toArray();
	}
	return false;
}

async function climbToVisible(database: BoughDatabase, from: TreeNode, topId: NodeId): Promise<NodeId> {
	const seen = new Set<NodeId>();
	for (let node: TreeNode | undefined = from; node && !seen.has(node.id);) {
		if (isVisible(node)) return node.id;
		if (node.id === topId || node.parentId === null) return topId;
		seen.add(node.id);
		node = await database.nodes.get(node.parentId);
	}
	return topId;
}
