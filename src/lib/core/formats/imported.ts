// What an import brings in, before the engine gives ids: threads as trees of records, and a report of what was left out.
import type { NodeContent } from '../domain/nodes.ts';
import type { JsonValue } from '../std/json.ts';

/** One node of another tool's conversation. References between nodes are the tool's own ids, unique within the thread. */
export interface ImportedNode {
	readonly externalId: string;
	/** Null for a root. A parent always stands before its children in `ImportedThread.nodes`. */
	readonly parentExternalId: string | null;
	/** Integer Unix milliseconds; null when the tool did not say. */
	readonly ts: number | null;
	/** Ids inside payloads (`label.targetId`, `compaction.firstKeptEntryId`, `branch_summary.fromId`) are external ids here. */
	readonly content: NodeContent;
}

export interface ImportedThread {
	/** Names the conversation for ever, such as `chatgpt:<conversation id>`: a second import of it is known again. */
	readonly externalId: string;
	readonly source: 'chatgpt' | 'pi';
	/** Empty when the tool had none. */
	readonly title: string;
	readonly createdAt: number | null;
	readonly updatedAt: number | null;
	readonly archived: boolean;
	readonly pinned: boolean;
	/** The node that was in view; null for an empty conversation. Always one of `nodes`, never a transparent one. */
	readonly leafExternalId: string | null;
	readonly nodes: readonly ImportedNode[];
}

/** One thing that an import left out or mended. `code` names a text of the message catalogue. */
export interface ImportFinding {
	readonly code: ImportFindingCode;
	/** How many times, at least 1. */
	readonly count: number;
	/** Where the first one was: a title, an id, a line number. */
	readonly where?: string;
	readonly data?: JsonValue;
}

export type ImportFindingCode =
	| 'conversation-without-messages'
	| 'conversation-unreadable'
	| 'line-unreadable'
	| 'torn-last-line'
	| 'missing-parent'
	| 'parent-cycle'
	| 'duplicate-id'
	| 'current-node-missing'
	| 'unknown-content-kept'
	| 'file-missing-from-export'
	| 'too-deep';

/** An imported thread with what was found wrong in it; `thread` is null when nothing of it could be kept. */
export interface ImportOutcome {
	readonly thread: ImportedThread | null;
	readonly findings: readonly ImportFinding[];
}
