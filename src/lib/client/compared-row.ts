// From a message of a comparison to what is shown of it. Pure. SPEC.md VIEW-50.
import type { ComparedItem } from '#lib/core/domain/comparison.ts';
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { InflightRow, RunRow } from '#lib/storage/rows.ts';
import { threadRows, type Streaming, type ThreadRow } from './thread-rows.ts';

/** What is being written. */
export interface Writing {
	readonly run: RunRow | null;
	readonly inflight: InflightRow | undefined;
	readonly streaming: Streaming;
}

const noSiblings: ReadonlyMap<NodeId, readonly NodeId[]> = new Map();

const quiet: Streaming = { runId: null, text: '', reasoning: '' };

/** Undefined while a body of it was not read. `writing`: null for a message that is complete. */
export function comparedRow(
	item: ComparedItem,
	bodyOf: (id: NodeId) => TreeNode | undefined,
	writing: Writing | null
): ThreadRow | undefined {
	const nodes = item.ids.flatMap((id) => bodyOf(id) ?? []);
	if (nodes.length < item.ids.length) return undefined;
	const run = writing?.run ?? null;
	const source = {
		nodes,
		siblingsById: noSiblings,
		pointId: null,
		endsAtLeaf: run !== null,
		leafRun: run ?? undefined,
		answersAtLeaf: [],
		inflight: writing?.inflight,
		thread: { leafId: null }
	};
	return threadRows(source, writing?.streaming ?? quiet).at(-1);
}
