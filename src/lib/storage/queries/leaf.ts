// Where a thread's cursor stands, whatever happened to the node it names (P-092, P-093; sync 2.4, theorem 4). SPEC.md DB-13.
import Dexie from 'dexie';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { isVisible } from '#lib/core/domain/nodes.ts';
import type { Thread } from '#lib/core/domain/threads.ts';
import type { BoughDatabase } from '../database.ts';

/** The cursor when its node is there and living; else the newest visible node; null when there is none, or the cursor is null. */
export async function readLeafId(database: BoughDatabase, thread: Pick<Thread, 'id' | 'leafId'>): Promise<NodeId | null> {
	if (thread.leafId === null) return null;
	const node = typeof thread.leafId === 'string' ? await database.nodes.get(thread.leafId) : undefined;
	if (node && node.threadId === thread.id && node.deleted !== true) return thread.leafId;
	return readNewestVisibleId(database, thread.id);
}

/** The visible node with the greatest stamp; null when there is none. */
export async function readNewestVisibleId(database: BoughDatabase, threadId: ThreadId): Promise<NodeId | null> {
	const newest = await database.nodes
		.where('[threadId+ord]')
		.between([threadId, Dexie.minKey], [threadId, Dexie.maxKey])
		.reverse()
		.filter(isVisible)
		.first();
	return newest?.id ?? null;
}
