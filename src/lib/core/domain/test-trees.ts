// Random trees as engines and syncs write them, for property tests: forks, tombstones, transparent nodes, and segments that two
// devices went on with at once.
import * as fc from 'fast-check';
import type { NodeId } from './ids.ts';
import type { OutlineNode } from './outline.ts';
import { rootForkId, placeUnder } from './place.ts';
import type { NodeContent, TreeNode } from './nodes.ts';

/** How one node is added; `parent`: a number that picks among the nodes before it, or none. */
export interface NodeStep {
	readonly parent: number;
	readonly kind: 'message' | 'transparent';
	readonly isDeleted: boolean;
	/** Written as if it were the parent's first child, as another device would that has not seen the others. */
	readonly isConflicting: boolean;
}

const nodeStep: fc.Arbitrary<NodeStep> = fc.record({
	// Mostly the newest node, so that chains come to be; 0 is a root.
	parent: fc.oneof({ weight: 5, arbitrary: fc.constant(-1) }, { weight: 2, arbitrary: fc.nat(1000) }),
	kind: fc.oneof({ weight: 2, arbitrary: fc.constant('message' as const) }, { weight: 1, arbitrary: fc.constant('transparent' as const) }),
	isDeleted: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
	isConflicting: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
});

const message: NodeContent = { type: 'user_message', payload: { content: [{ type: 'text', text: 'x' }] } };
const transparent: NodeContent = { type: 'custom', payload: { customType: 'c' } };

export function treeFrom(steps: readonly NodeStep[], threadId = 't'): TreeNode[] {
	const nodes: TreeNode[] = [];
	const withChild = new Set<NodeId>();
	for (const [index, step] of steps.entries()) {
		const at = step.parent === -1 ? index : step.parent % (index + 1);
		const parent = at === 0 ? null : (nodes[at - 1] ?? null);
		const id = `n${String(index).padStart(4, '0')}`;
		const hasChild = parent !== null && withChild.has(parent.id) && !step.isConflicting;
		const place = parent === null ? { segmentId: id, depth: 0, forkSegmentId: rootForkId } : placeUnder(id, parent, hasChild);
		if (parent) withChild.add(parent.id);
		nodes.push({
			id,
			threadId,
			parentId: parent?.id ?? null,
			seq: index + 1,
			ts: index,
			ord: id,
			...place,
			...(step.isDeleted ? { deleted: true } : {}),
			...(step.kind === 'message' ? message : transparent)
		});
	}
	return nodes;
}

export const randomTree: fc.Arbitrary<TreeNode[]> = fc.array(nodeStep, { minLength: 1, maxLength: 60 }).map((steps) => treeFrom(steps));

/** For each node that a number was drawn for, a child that was chosen there. */
export function choicesFor(nodes: readonly TreeNode[], picks: readonly number[]): Map<NodeId, NodeId> {
	const choices = new Map<NodeId, NodeId>();
	for (const pick of picks) {
		const child = nodes[pick % nodes.length];
		if (child && child.parentId !== null) choices.set(child.parentId, child.id);
	}
	return choices;
}

/** Parents may be anyone, missing, or oneself. */
export const damagedOutline: fc.Arbitrary<OutlineNode[]> = fc
	.array(
		fc.record({
			parent: fc.option(fc.nat(24), { nil: null }),
			type: fc.constantFrom('user_message' as const, 'assistant_message' as const, 'turn_context' as const, 'unknown' as const),
			isDeleted: fc.boolean(),
			seq: fc.nat(20)
		}),
		{ minLength: 1, maxLength: 20 }
	)
	.map((rows) =>
		rows.map(({ parent, type, isDeleted, seq }, index) => ({
			id: `n${index}`,
			parentId: parent === null ? null : `n${parent}`,
			seq,
			type,
			ts: seq,
			line: `line ${index}`,
			name: '',
			...(isDeleted ? { deleted: true as const } : {})
		}))
	);
