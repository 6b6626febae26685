// Asks for one node, and nothing that a whole view needs: the start page loads it too.
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { BoughDatabase } from '../database.ts';

/** Whether a node of that id is in the tree, deleted or not. */
export async function hasNode(database: BoughDatabase, id: NodeId): Promise<boolean> {
	return (await database.nodes.get(id)) !== undefined;
}
