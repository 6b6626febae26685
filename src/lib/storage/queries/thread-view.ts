// What one screen of a conversation needs, read together so that it is of one moment.
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { isVisible, readable, type TreeNode } from '#lib/core/domain/nodes.ts';
import type { Thread } from '#lib/core/domain/threads.ts';
import type { BoughDatabase } from '../database.ts';
import { activeRunStates, type InflightRow, type RunRow } from '../rows.ts';
import { readLeafId } from './leaf.ts';
import { readPathWindow } from './path-window.ts';
import { readBeside, readLogicalChildren } from './siblings.ts';

export interface ThreadView {
	readonly thread: Thread;
	/** A stretch of the branch in view, nearer the root first, transparent nodes and tombstones among them. */
	readonly nodes: readonly TreeNode[];
	readonly siblingsById: ReadonlyMap<NodeId, readonly NodeId[]>;
	/** The names that messages were given. */
	readonly labelsById: ReadonlyMap<NodeId, string>;
	readonly startsAtRoot: boolean;
	/** The message at which the conversation is looked at; null: as it is now. */
	readonly pointId: NodeId | null;
	/** Whether the stretch reaches the leaf, or the point. */
	readonly endsAtLeaf: boolean;
	readonly isBroken: boolean;
	/** The stretch is broken, the stored cursor names nothing that is living, or the counter fell behind: see `thread.repair`. */
	readonly isDamaged: boolean;
	/** The newest run that answers, or should have answered, the leaf; undefined when there never was one. */
	readonly leafRun: RunRow | undefined;
	/** The visible messages that already stand under the last visible one: earlier answers, while a new one is asked for. */
	readonly answersAtLeaf: readonly NodeId[];
	/** The run at work in this thread, on whatever branch. */
	readonly activeRun: RunRow | undefined;
	/** What has been kept of the active run's answer. */
	readonly inflight: InflightRow | undefined;
}

export interface WindowRequest {
	/** Looks at the conversation as it stood at this node, of whatever branch (T-003); null or absent: as it is now. */
	readonly pointId?: NodeId | null;
	/** Null: the point, or the leaf. */
	readonly endId: NodeId | null;
	/** How many nodes, at most. */
	readonly limit: number;
}

/** Null when there is no such thread. One snapshot: an answer is never seen ended and not yet there. */
export function readThreadView(database: BoughDatabase, threadId: ThreadId, request: WindowRequest): Promise<ThreadView | null> {
	const { threads, nodes, runs, inflight } = database;
	// Dexie follows native awaits only from a function that is `async` itself.
	return database.transaction('r', [threads, nodes, runs, inflight], async () => readView(database, threadId, request));
}

async function readView(database: BoughDatabase, threadId: ThreadId, request: WindowRequest): Promise<ThreadView | null> {
	const stored = await database.threads.get(threadId);
	if (!stored) return null;
	const thread: Thread = { ...stored, leafId: await readLeafId(database, stored) };
	const isCursorLost = thread.leafId !== stored.leafId;
	const pointId = request.pointId ?? null;
	const bottomId = pointId ?? thread.leafId;
	const endId = request.endId ?? bottomId;
	const readActiveRun = () =>
		database.runs
			.where('[threadId+state]')
			.anyOf(activeRunStates.map((state) => [threadId, state]))
			.first();
	if (endId === null)
		return {
			...emptyView,
			pointId,
			isDamaged: isCursorLost,
			thread,
			activeRun: await readActiveRun(),
			inflight: await database.inflight.get(threadId)
		};
	const window = await readPathWindow(database, threadId, endId, request.limit);
	const leaf = window.nodes.at(-1);
	const lastVisible = window.nodes.findLast(isVisible);
	const [beside, leafRuns, activeRun, inflight, answersAtLeaf] = await Promise.all([
		readBeside(database, threadId, window),
		thread.leafId === null || pointId !== null ? [] : database.runs.where('parentNodeId').equals(thread.leafId).sortBy('createdAt'),
		readActiveRun(),
		database.inflight.get(threadId),
		// Only a leaf that is no message has a new answer asked for beside older ones.
		pointId === null && leaf && !isVisible(leaf) && lastVisible ? readLogicalChildren(database, lastVisible) : []
	]);
	return {
		thread,
		pointId,
		...window,
		nodes: window.nodes.map(readable),
		...beside,
		isDamaged: window.isBroken || isCursorLost || (leaf?.seq ?? 0) > stored.lastSeq,
		endsAtLeaf: endId === bottomId,
		leafRun: leafRuns.at(-1),
		answersAtLeaf,
		activeRun,
		inflight
	};
}

/** A thread in which nothing can be seen. */
const emptyView = {
	nodes: [],
	siblingsById: new Map<NodeId, readonly NodeId[]>(),
	labelsById: new Map<NodeId, string>(),
	startsAtRoot: true,
	endsAtLeaf: true,
	isBroken: false,
	leafRun: undefined,
	answersAtLeaf: []
};
