// What two branches beside each other are read from: the shape of the whole tree, and the bodies of those messages that are
// looked at. SPEC.md DB-40.
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { readable, type TreeNode } from '#lib/core/domain/nodes.ts';
import type { OutlineNode } from '#lib/core/domain/outline.ts';
import type { ForkChoices } from '#lib/core/domain/tree.ts';
import type { BoughDatabase } from '../database.ts';
import { readTreeOutline } from './tree-outline.ts';

export interface TreeShape {
	readonly nodes: readonly OutlineNode[];
	readonly choices: ForkChoices;
}

/** One snapshot. */
export function readTreeShape(database: BoughDatabase, threadId: ThreadId): Promise<TreeShape> {
	return database.transaction('r', [database.nodes, database.forkChoices], async () => {
		const nodes = await readTreeOutline(database, threadId);
		const choices = await database.forkChoices.where('threadId').equals(threadId).toArray();
		return { nodes, choices: new Map(choices.map(({ parentId, childId }) => [parentId, childId])) };
	});
}

/** The nodes of `ids` that are there, by id. */
export async function readBodies(
	database: BoughDatabase,
	threadId: ThreadId,
	ids: readonly NodeId[]
): Promise<ReadonlyMap<NodeId, TreeNode>> {
	const rows = await database.nodes.bulkGet([...ids]);
	return new Map(rows.flatMap((row) => (row?.threadId === threadId ? [[row.id, readable(row)] as const] : [])));
}
