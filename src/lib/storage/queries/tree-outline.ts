// Reads the whole tree of a thread without its bodies: a page of rows at a time, of which first lines are kept. SPEC.md DB-30.
import Dexie from 'dexie';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { outlineNodeOf } from '#lib/core/domain/outline-node.ts';
import type { OutlineNode } from '#lib/core/domain/outline.ts';
import type { BoughDatabase } from '../database.ts';

/** Rows in memory at once. */
const pageSize = 500;

/** Every node of the thread, tombstones among them, in no order that counts. One snapshot. */
export function readTreeOutline(database: BoughDatabase, threadId: ThreadId, rowsAtOnce = pageSize): Promise<readonly OutlineNode[]> {
	return database.transaction('r', database.nodes, async () => {
		const found = new Map<NodeId, OutlineNode>();
		const keep = (rows: readonly TreeNode[]) => {
			for (const row of rows) if (!found.has(row.id)) found.set(row.id, outlineNodeOf(row));
		};
		// A page begins with the seq that the last one ended with: on a damaged tree one seq may come twice.
		let limit = rowsAtOnce;
		let from: number = Dexie.minKey;
		for (;;) {
			const countBefore = found.size;
			const rows: TreeNode[] = await database.nodes
				.where('[threadId+seq]')
				.between([threadId, from], [threadId, Dexie.maxKey], true, true)
				.limit(limit)
				.toArray();
			keep(rows);
			const last = rows.at(-1);
			if (!last || rows.length < limit) break;
			// A whole page of one seq: a longer one goes past it.
			if (found.size === countBefore || last.seq === from) limit *= 2;
			from = last.seq;
		}
		const whole = database.nodes.where('threadId').equals(threadId);
		if ((await whole.count()) !== found.size) {
			// A row without a seq is in no index over it.
			const missing = (await whole.primaryKeys()).filter((id) => !found.has(id));
			keep((await database.nodes.bulkGet(missing)).filter((row) => row !== undefined));
		}
		return [...found.values()];
	});
}
