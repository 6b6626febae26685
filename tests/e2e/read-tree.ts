// Reads the database of a page as it is, past the app, and says what is wrong with it.
import type { Page } from '@playwright/test';

export interface StoredNode {
	readonly id: string;
	readonly threadId: string;
	readonly parentId: string | null;
	readonly seq: number;
	readonly depth: number;
	readonly ord: string;
	readonly type: string;
	readonly deleted: boolean;
	readonly text: string;
}

export interface StoredTree {
	readonly threads: readonly { readonly id: string; readonly leafId: string | null; readonly lastSeq: number }[];
	readonly nodes: readonly StoredNode[];
	readonly activeRuns: readonly string[];
	readonly inflight: readonly string[];
}

/** One transaction over the tables, by plain IndexedDB. */
export function readTree(page: Page): Promise<StoredTree> {
	return page.evaluate(
		() =>
			new Promise<StoredTree>((resolve, reject) => {
				const opening = indexedDB.open('bough');
				opening.onerror = () => reject(new Error(String(opening.error)));
				opening.onsuccess = () => {
					const database = opening.result;
					const transaction = database.transaction(['threads', 'nodes', 'runs', 'inflight'], 'readonly');
					const all = (name: string) => transaction.objectStore(name).getAll();
					const [threads, nodes, runs, inflight] = ['threads', 'nodes', 'runs', 'inflight'].map(all);
					transaction.onerror = () => reject(new Error(String(transaction.error)));
					transaction.oncomplete = () => {
						database.close();
						resolve({
							threads: threads?.result ?? [],
							nodes: (nodes?.result ?? []).map((node) => ({
								...node,
								deleted: node.deleted === true,
								text: (node.payload.content ?? []).map((block: { text?: string }) => block.text ?? '').join('')
							})),
							activeRuns: (runs?.result ?? [])
								.filter((run) => run.state === 'preparing' || run.state === 'streaming_model')
								.map((run) => run.id),
							inflight: (inflight?.result ?? []).map((row) => row.runId)
						});
					};
				};
			})
	);
}

/** Each broken law as a sentence; empty when the trees are whole. */
export function treeFaults({ threads, nodes, activeRuns, inflight }: StoredTree): readonly string[] {
	const faults: string[] = [];
	const nodesById = new Map(nodes.map((node) => [node.id, node]));
	if (nodesById.size !== nodes.length) faults.push('two nodes have one id');
	const placesTaken = new Set<string>();
	for (const node of nodes) {
		const parent = node.parentId === null ? null : nodesById.get(node.parentId);
		if (parent === undefined) faults.push(`${node.id} hangs under a missing node`);
		else if (parent !== null) {
			if (parent.threadId !== node.threadId) faults.push(`${node.id} hangs under a node of another thread`);
			if (parent.seq >= node.seq) faults.push(`${node.id} came before its parent`);
			if (parent.ord >= node.ord) faults.push(`${node.id} has an earlier stamp than its parent`);
			if (parent.depth + 1 !== node.depth) faults.push(`${node.id} has a wrong depth`);
		} else if (node.depth !== 0) faults.push(`root ${node.id} has a depth`);
		const place = `${node.threadId} ${node.seq}`;
		if (placesTaken.has(place)) faults.push(`seq ${node.seq} comes twice`);
		placesTaken.add(place);
	}
	for (const thread of threads) {
		if (thread.leafId !== null && !nodesById.has(thread.leafId)) faults.push(`the cursor of ${thread.id} points at nothing`);
		const highest = Math.max(0, ...nodes.filter((node) => node.threadId === thread.id).map((node) => node.seq));
		if (thread.lastSeq < highest) faults.push(`the counter of ${thread.id} is behind`);
	}
	if (activeRuns.length === 0 && inflight.length > 0) faults.push('a checkpoint was left behind');
	return faults;
}
