// From nodes to what the thread view shows, row by row. Pure. SPEC.md VIEW-01 to VIEW-06.
import type { NodeId } from '#lib/core/domain/ids.ts';
import { isVisible, textOf, type NodeOf, type TreeNode } from '#lib/core/domain/nodes.ts';
import type { ThreadView } from '#lib/storage/queries/thread-view.ts';
import type { RunRow } from '#lib/storage/rows.ts';

/** Place among the versions of a message: `index` from 0; `ids[index]` is the one in view. */
export interface Versions {
	readonly ids: readonly NodeId[];
	readonly index: number;
}

export interface QuestionRow {
	readonly kind: 'question';
	/** The place in the branch: what stands before it. Versions of a message share it, so that their row stays the same on screen. */
	readonly key: string;
	readonly node: NodeOf<'user_message'>;
	readonly text: string;
	readonly versions: Versions | null;
}

export interface AnswerRow {
	readonly kind: 'answer';
	/** As for a question; the same while it streams and when it is a node. */
	readonly key: string;
	/** The pieces of a continued answer, in order; empty while the first one comes. */
	readonly parts: readonly NodeOf<'assistant_message'>[];
	/** What is being written, or was to be. */
	readonly run: RunRow | null;
	readonly text: string;
	readonly reasoning: string;
	readonly isStreaming: boolean;
	readonly versions: Versions | null;
}

/** Everything that is no question and no answer: notices, tool steps, summaries, marks of other tools, unknown types. */
export interface OtherRow {
	readonly kind: 'other';
	readonly key: string;
	readonly node: TreeNode;
	readonly versions: Versions | null;
}

export type ThreadRow = QuestionRow | AnswerRow | OtherRow;

export interface Streaming {
	readonly runId: string | null;
	readonly text: string;
	readonly reasoning: string;
}

/** What rows are made of. */
export interface RowsSource extends Pick<
	ThreadView,
	'nodes' | 'siblingsById' | 'pointId' | 'endsAtLeaf' | 'leafRun' | 'answersAtLeaf' | 'inflight'
> {
	readonly thread: Pick<ThreadView['thread'], 'leafId'>;
}

/** The rows of a view. `streaming`: what has come of the run in progress, if this tab has heard of it. */
export function threadRows(view: RowsSource, streaming: Streaming): readonly ThreadRow[] {
	const rows: ThreadRow[] = [];
	for (const node of view.nodes) {
		if (!isVisible(node)) continue;
		const versions = versionsOf(view, node.id);
		const key = placeAfter(rows.at(-1), view);
		if (node.type === 'user_message') rows.push({ kind: 'question', key, node, text: textOf(node.payload.content), versions });
		else if (node.type === 'assistant_message') addAnswer(rows, key, node, versions);
		else rows.push({ kind: 'other', key, node, versions });
	}
	if (view.endsAtLeaf && view.leafRun) addRun(rows, view, view.leafRun, streaming);
	return rows;
}

/** The key of what follows `row`; at the top of a window, of what follows the node before the window. */
function placeAfter(row: ThreadRow | undefined, view: RowsSource): string {
	if (!row) {
		const above = view.nodes[0]?.parentId ?? null;
		// In a circle of parents, what stands before the first row is a row further down.
		return view.nodes.some((node) => node.id === above) ? 'circle' : `after:${above ?? 'root'}`;
	}
	return `after:${row.kind === 'answer' ? (row.parts.at(-1)?.id ?? row.key) : row.node.id}`;
}

function versionsOf(view: RowsSource, id: NodeId): Versions | null {
	const ids = view.siblingsById.get(id);
	// A point is looked at: another version would be another point.
	return ids && view.pointId === null ? { ids, index: ids.indexOf(id) } : null;
}

function addAnswer(rows: ThreadRow[], key: string, node: NodeOf<'assistant_message'>, versions: Versions | null): void {
	const text = textOf(node.payload.content);
	const reasoning = node.payload.reasoning ?? '';
	const last = rows.at(-1);
	if (node.payload.continuesNodeId !== undefined && last?.kind === 'answer' && last.parts.at(-1)?.id === node.payload.continuesNodeId) {
		rows[rows.length - 1] = { ...last, parts: [...last.parts, node], text: last.text + text, reasoning: last.reasoning + reasoning };
	} else rows.push({ kind: 'answer', key, parts: [node], run: null, text, reasoning, isStreaming: false, versions });
}

/** The run at the leaf: an answer that is coming, or one that never came. */
function addRun(rows: ThreadRow[], view: RowsSource, run: RunRow, streaming: Streaming): void {
	const isActive = run.state === 'preparing' || run.state === 'streaming_model';
	const isMissing =
		(run.state === 'failed' || run.state === 'interrupted' || run.state === 'stopped') && view.thread.leafId === run.parentNodeId;
	if (!isActive && !isMissing) return;
	const heard = streaming.runId === run.id ? streaming : view.inflight?.runId === run.id ? view.inflight : null;
	const text = isActive ? (heard?.text ?? '') : '';
	const reasoning = isActive ? (heard?.reasoning ?? '') : '';
	const last = rows.at(-1);
	if (run.continuesNodeId !== undefined && last?.kind === 'answer' && last.parts.at(-1)?.id === run.continuesNodeId) {
		rows[rows.length - 1] = { ...last, run, text: last.text + text, reasoning: last.reasoning + reasoning, isStreaming: isActive };
		return;
	}
	const ids = [...view.answersAtLeaf, run.answerNodeId];
	const versions = ids.length > 1 ? { ids, index: ids.length - 1 } : null;
	const key = placeAfter(last, view);
	rows.push({ kind: 'answer', key, parts: [], run, text, reasoning, isStreaming: isActive, versions });
}
