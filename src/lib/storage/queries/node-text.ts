// The words of one message, for those who hold no more than its first line.
import type { NodeId } from '#lib/core/domain/ids.ts';
import { textOf } from '#lib/core/domain/nodes.ts';
import type { BoughDatabase } from '../database.ts';

/** Null when there is no such message of a person. */
export async function readQuestionText(database: BoughDatabase, id: NodeId): Promise<string | null> {
	const node = await database.nodes.get(id);
	return node?.type === 'user_message' ? textOf(node.payload.content) : null;
}
