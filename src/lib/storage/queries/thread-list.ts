// Reads for the list of conversations: thread rows only, never nodes (P-023; SPEC.md DB-14), and only as many as are shown.
import type { Thread } from '#lib/core/domain/threads.ts';
import type { BoughDatabase } from '../database.ts';
import { activeRunStates } from '../rows.ts';

export interface ThreadList {
	/** Newest first; pinned ones apart. */
	readonly pinned: readonly Thread[];
	readonly threads: readonly Thread[];
	/** Whether there are more than were asked for. */
	readonly hasMore: boolean;
	/** Ids of threads in which a run works. */
	readonly running: ReadonlySet<string>;
}

/** The newest `limit` threads that are archived or not, as asked, and all pinned ones. */
export async function readThreadList(
	database: BoughDatabase,
	options: { readonly limit: number; readonly archived: boolean }
): Promise<ThreadList> {
	const { limit, archived } = options;
	const wanted = archived ? 1 : 0;
	const [pinned, newest, active] = await Promise.all([
		archived
			? []
			: database.threads
					.where('pinned')
					.equals(1)
					.filter((thread) => thread.archived === 0)
					.toArray(),
		database.threads
			.orderBy('updatedAt')
			.reverse()
			.filter((thread) => thread.archived === wanted && (archived || thread.pinned === 0))
			.limit(limit + 1)
			.toArray(),
		database.runs
			.where('state')
			.anyOf([...activeRunStates])
			.toArray()
	]);
	return {
		pinned: pinned.sort((a, b) => b.updatedAt - a.updatedAt),
		threads: newest.slice(0, limit),
		hasMore: newest.length > limit,
		running: new Set(active.map((run) => run.threadId))
	};
}
