// Windows of simulated threads against a walk along the parents that knows nothing of segments; over any IndexedDB.
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { simulateThread, type SimulatedThread } from '#lib/core/domain/test-devices.ts';
import { newThread } from '#lib/core/domain/threads.ts';
import { seededRandom } from '../../../../tests/fixtures/seeded-random.ts';
import type { BoughDatabase } from '../database.ts';
import { readPathBelow } from './path-window.ts';
import { readThreadView } from './thread-view.ts';

export interface WindowFigures {
	readonly windows: number;
	readonly threads: number;
	readonly nodes: number;
	/** Places where two devices went on with one segment; without any of them the simulation proves little. */
	readonly conflicts: number;
	/** Rows that were compared. */
	readonly rows: number;
	/** Empty when every window was right. */
	readonly faults: readonly string[];
}

const windowsPerThread = 40;
/** The sizes that the thread view asks for, and small and odd ones. */
const limits = [1, 2, 3, 7, 30, 60, 120, 360];

/** Simulates threads and reads `windows` windows of them; the same `seed` is the same life. */
export async function compareWindows(
	database: BoughDatabase,
	options: { readonly windows: number; readonly seed: number }
): Promise<WindowFigures> {
	const random = seededRandom(options.seed);
	const figures = { windows: 0, threads: 0, nodes: 0, conflicts: 0, rows: 0, faults: new Array<string>() };
	while (figures.windows < options.windows && figures.faults.length === 0) {
		const threadId = `t${figures.threads++}`;
		const simulated = simulateThread(threadId, random);
		await store(database, threadId, simulated);
		figures.nodes += simulated.nodes.length;
		figures.conflicts += simulated.conflicts;
		const truth = truthOf(simulated.nodes);
		for (let index = 0; index < windowsPerThread && figures.windows < options.windows; index++) {
			figures.windows++;
			const end = index === 0 ? null : (simulated.nodes[Math.floor(random() * simulated.nodes.length)] ?? null);
			const limit = limits[Math.floor(random() * limits.length)] ?? 1;
			const read = await compareWindow(database, simulated, truth, { threadId, end, limit });
			figures.rows += read.rows;
			figures.faults.push(...read.faults.map((fault) => `${threadId}, up to ${end?.id ?? 'the leaf'}, at most ${limit}: ${fault}`));
		}
	}
	return figures;
}

async function store(database: BoughDatabase, threadId: ThreadId, { nodes, leafId, lastSeq }: SimulatedThread): Promise<void> {
	await database.nodes.bulkAdd([...nodes]);
	await database.threads.add(newThread(threadId, 1, { leafId, lastSeq }));
}

interface Truth {
	readonly pathTo: (id: NodeId) => readonly TreeNode[];
	readonly versionsById: ReadonlyMap<NodeId, readonly NodeId[]>;
}

/** Slow on purpose: parents one by one, and every message asked for its nearest visible ancestor. */
function truthOf(nodes: readonly TreeNode[]): Truth {
	const nodesById = new Map(nodes.map((node) => [node.id, node]));
	const pathTo = (id: NodeId): TreeNode[] => {
		const path: TreeNode[] = [];
		for (let node = nodesById.get(id); node; node = node.parentId === null ? undefined : nodesById.get(node.parentId)) path.unshift(node);
		return path;
	};
	const versionsByParent = new Map<NodeId | null, TreeNode[]>();
	for (const node of nodes) {
		if (!isVisible(node)) continue;
		const parentId = pathTo(node.id).slice(0, -1).findLast(isVisible)?.id ?? null;
		versionsByParent.set(parentId, [...(versionsByParent.get(parentId) ?? []), node]);
	}
	const versionsById = new Map<NodeId, readonly NodeId[]>();
	for (const versions of versionsByParent.values()) {
		const ids = versions.sort((a, b) => a.seq - b.seq).map((version) => version.id);
		if (ids.length > 1) for (const id of ids) versionsById.set(id, ids);
	}
	return { pathTo, versionsById };
}

async function compareWindow(
	database: BoughDatabase,
	simulated: SimulatedThread,
	truth: Truth,
	{ threadId, end, limit }: { readonly threadId: ThreadId; readonly end: TreeNode | null; readonly limit: number }
): Promise<{ rows: number; faults: string[] }> {
	const faults: string[] = [];
	const same = (what: string, read: unknown, expected: unknown) => {
		if (JSON.stringify(read) !== JSON.stringify(expected))
			faults.push(`${what}: ${JSON.stringify(read)} instead of ${JSON.stringify(expected)}`);
	};
	const endId = end?.id ?? simulated.leafId;
	const path = endId === null ? [] : truth.pathTo(endId);
	const rows = path.slice(-limit);
	const view = await readThreadView(database, threadId, { endId: end?.id ?? null, limit });
	same('rows', view?.nodes.map(inOrder), rows.map(inOrder));
	same('starts at the root', view?.startsAtRoot, path.length <= limit);
	same('ends at the leaf', view?.endsAtLeaf, endId === simulated.leafId);
	same('is damaged', view?.isDamaged, false);
	const expected = rows
		.filter((row) => isVisible(row) && truth.versionsById.has(row.id))
		.map((row) => [row.id, truth.versionsById.get(row.id)]);
	same('versions', [...(view?.siblingsById ?? [])], expected);
	// Reading on below: from the first row of the window down to its end.
	const first = rows[0];
	if (first && endId !== null) {
		const below = await readPathBelow(database, threadId, first.id, endId, limit);
		same('rows below', below.map(inOrder), rows.slice(1).map(inOrder));
	}
	return { rows: rows.length, faults };
}

/** The node with its fields in one order. */
function inOrder(node: TreeNode): unknown {
	return Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1));
}
