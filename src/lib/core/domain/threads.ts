// A thread's row: all that the list of conversations needs, so that the list never reads nodes (P-023).
import type { NodeId, Stamp, ThreadId } from './ids.ts';

export interface ThreadStats {
	readonly turns: number;
	readonly totalTokens: number;
	readonly costUsd: number;
}

/** Fields that two devices may both change; each carries the stamp of its last write (sync 2.1, class S2). */
export type SyncedThreadField = 'title' | 'pinned' | 'archived' | 'tags' | 'folderId';

export interface Thread {
	readonly id: ThreadId;
	readonly title: string;
	/** `person` titles are never overwritten by a made one (E-25, C-26). */
	readonly titleSource: 'first-line' | 'person' | 'import' | 'none';
	readonly createdAt: number;
	/** Moves with messages only; a rename does not reorder the list (C-25). */
	readonly updatedAt: number;
	/** The cursor: leaf of the branch in view; null for an empty thread. Device-local (sync 2.5). */
	readonly leafId: NodeId | null;
	/** Counter behind `seq`. */
	readonly lastSeq: number;
	readonly folderId: string | null;
	readonly tags: readonly string[];
	/** 0 or 1: IndexedDB has no index over booleans. */
	readonly pinned: 0 | 1;
	readonly archived: 0 | 1;
	readonly parentThreadId?: ThreadId;
	readonly stats: ThreadStats;
	readonly scopeOrigins: readonly string[];
	/** The tool it came from; undefined for threads begun here (D-110). */
	readonly source?: string;
	readonly stamps: Readonly<Partial<Record<SyncedThreadField, Stamp>>>;
}

/** An empty thread of that moment (Unix ms); `fields` say what is different about it. */
export function newThread(id: ThreadId, nowMs: number, fields: Partial<Thread> = {}): Thread {
	return {
		id,
		title: '',
		titleSource: 'none',
		createdAt: nowMs,
		updatedAt: nowMs,
		leafId: null,
		lastSeq: 0,
		folderId: null,
		tags: [],
		pinned: 0,
		archived: 0,
		stats: { turns: 0, totalTokens: 0, costUsd: 0 },
		scopeOrigins: [],
		stamps: {},
		...fields
	};
}

/** Longest title in Unicode code points (C-26). */
export const maxTitleLength = 80;

/** Trims, folds white space and cuts to `maxTitleLength` code points; empty when nothing is left. */
export function normaliseTitle(text: string): string {
	const folded = text.replace(/\s+/gu, ' ').trim();
	const points = [...folded];
	return points.length <= maxTitleLength
		? folded
		: `${points
				.slice(0, maxTitleLength - 1)
				.join('')
				.trimEnd()}…`;
}
