// The names that messages were given. Pure. SPEC.md TREE-16.
import type { NodeId } from './ids.ts';
import type { TreeNode } from './nodes.ts';
import { bySeq, type TreeEntry } from './tree.ts';

/** What a label says: whom it names, and how; null takes the name away. */
export interface Naming {
	readonly targetId: NodeId;
	readonly label: string | null;
}

/** The newest living label of a target wins, null and the empty one take the name away (T-016, E-55). `namingOf`: undefined for what names nobody. */
export function newestNames<N extends TreeEntry>(
	nodes: Iterable<N>,
	namingOf: (node: N) => Naming | undefined
): ReadonlyMap<NodeId, string> {
	const names = new Map<NodeId, string>();
	const labels = [...nodes].filter((node) => node.type === 'label' && node.deleted !== true).sort(bySeq);
	for (const node of labels) {
		const naming = namingOf(node);
		if (naming?.label) names.set(naming.targetId, naming.label);
		else if (naming) names.delete(naming.targetId);
	}
	return names;
}

/** The names that these nodes' labels give. */
export function labelsByTarget(nodes: Iterable<TreeNode>): ReadonlyMap<NodeId, string> {
	return newestNames(nodes, (node) => (node.type === 'label' ? node.payload : undefined));
}
