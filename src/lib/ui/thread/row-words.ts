// The words that name a row: who spoke and when.
import type { NodeId } from '#lib/core/domain/ids.ts';
import { m } from '#lib/i18n/generated/messages.js';
import type { ThreadRow } from '#lib/client/thread-rows.ts';

/** The node that the row stands for; the coming answer's id while there is none. */
export function rowId(row: ThreadRow): string {
	return row.kind === 'answer' ? (row.parts[0]?.id ?? row.run?.answerNodeId ?? row.key) : row.node.id;
}

/** Every node that the row shows. */
function rowIds(row: ThreadRow): readonly NodeId[] {
	return row.kind === 'answer' ? row.parts.map((part) => part.id) : [row.node.id];
}

/** The row that shows the node `nodeId`. */
export function rowWith(rows: readonly ThreadRow[], nodeId: NodeId | null): ThreadRow | undefined {
	return nodeId === null ? undefined : rows.find((row) => rowIds(row).includes(nodeId));
}

/** The name that the message was given; undefined when it has none. */
export function rowLabel(row: ThreadRow, labelsById: ReadonlyMap<NodeId, string> | undefined): string | undefined {
	return rowIds(row)
		.map((id) => labelsById?.get(id))
		.find((label) => label !== undefined);
}

export function rowSpeaker(row: ThreadRow): string {
	switch (row.kind) {
		case 'question':
			return m.speaker_you();
		case 'answer': {
			const connectionId = row.parts[0]?.payload.connectionId ?? row.run?.connectionId;
			// Wherever the Guide speaks it says that it is no AI.
			return connectionId === 'guide' ? m.speaker_guide() : (row.parts[0]?.payload.model ?? row.run?.model ?? '');
		}
		case 'other':
			return m.other_notice();
	}
}

export function rowTime(row: ThreadRow): string {
	const ts = row.kind === 'answer' ? (row.parts[0]?.ts ?? row.run?.createdAt) : row.node.ts;
	return timeText(ts) ?? '';
}

/** Day and time of day; null for a time that is none, as damage leaves it. */
export function timeText(ts: number | undefined): string | null {
	const then = new Date(ts ?? Number.NaN);
	if (Number.isNaN(then.getTime())) return null;
	return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' }).format(then);
}
