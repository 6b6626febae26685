// Where a new node goes: its depth and its segment, a maximal unbranched chain. SPEC.md TREE-03.
import type { NodeId } from './ids.ts';
import type { NodePlace } from './nodes.ts';

export type SegmentPlace = Pick<NodePlace, 'segmentId' | 'depth' | 'forkSegmentId'>;

/** Stands for the parent segment of roots, so that the roots of a thread are one range read: IndexedDB has no index over null. */
export const rootForkId = 'root';

/**
 * `parent`: null for a root. `parentHasChild`: whether any child, living or deleted, already stands under the parent;
 * the first child goes on with the parent's segment, every other one begins its own.
 */
export function placeUnder(id: NodeId, parent: Pick<NodePlace, 'segmentId' | 'depth'> | null, parentHasChild: boolean): SegmentPlace {
	if (parent === null) return { segmentId: id, depth: 0, forkSegmentId: rootForkId };
	const depth = parent.depth + 1;
	return parentHasChild ? { segmentId: id, depth, forkSegmentId: parent.segmentId } : { segmentId: parent.segmentId, depth };
}
