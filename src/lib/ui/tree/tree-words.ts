// The words for a message in the tree: who spoke, what it says, when. SPEC.md OUTL-02.
import type { Copying } from '#lib/client/state/tree-view.svelte.ts';
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { NodeType } from '#lib/core/domain/nodes.ts';
import type { OutlineEntry, OutlineNode } from '#lib/core/domain/outline.ts';
import { errorText } from '#lib/i18n/error-text.ts';
import { m } from '#lib/i18n/generated/messages.js';

/** What a message is drawn as; shapes tell them apart where colours do not. */
export type Role = 'question' | 'answer' | 'other' | 'unknown';

export function roleOf(type: NodeType): Role {
	switch (type) {
		case 'user_message':
			return 'question';
		case 'assistant_message':
			return 'answer';
		case 'tool_call':
		case 'tool_result':
		case 'system_notice':
		case 'custom_message':
		case 'compaction':
		case 'branch_summary':
			return 'other';
		default:
			return 'unknown';
	}
}

export function speakerOf(node: OutlineNode): string {
	switch (node.type) {
		case 'user_message':
			return m.speaker_you();
		case 'assistant_message':
			return node.isGuide ? m.speaker_guide() : node.name;
		case 'tool_result':
			return m.other_tool_result();
		case 'compaction':
			return m.other_summary();
		case 'branch_summary':
			return m.other_branch_summary();
		case 'custom_message':
			return m.other_custom({ name: node.name });
		default:
			return m.other_notice();
	}
}

export function lineOf(node: OutlineNode): string {
	if (node.line !== '') return node.line;
	switch (node.type) {
		case 'tool_call':
			return m.other_tool_call({ name: node.name });
		case 'system_notice':
			return errorText(node.name);
		case 'user_message':
		case 'assistant_message':
		case 'tool_result':
		case 'custom_message':
		case 'compaction':
		case 'branch_summary':
			return m.tree_no_words();
		default:
			return m.other_unknown({ name: node.name });
	}
}

/** Writes times short: the hour of today, the day of this year, else the date. */
export function timeWriter(language: string, nowMs: number): (ts: number) => string {
	const today = new Date(nowMs);
	const hour = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
	const day = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
	const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
	return (ts) => {
		const then = new Date(ts);
		if (Number.isNaN(then.getTime())) return '';
		if (then.toDateString() === today.toDateString()) return hour.format(then);
		return (then.getFullYear() === today.getFullYear() ? day : date).format(then);
	};
}

/** Which end of the stretch that is to be copied. */
export type CopyEnd = 'first' | 'last' | 'only';

/** Null for a message that is no end of it. */
export function copyEndOf(copying: Copying | null, id: NodeId): CopyEnd | null {
	if (copying?.fromId === id) return copying.toId === id ? 'only' : 'first';
	return copying?.toId === id ? 'last' : null;
}

export function copyEndText(end: CopyEnd): string {
	const texts = { first: m.tree_copy_first(), last: m.tree_copy_last(), only: m.tree_copy_only() };
	return texts[end];
}

interface NameOptions {
	readonly isCursor: boolean;
	readonly isChosen: boolean;
	readonly copyEnd: CopyEnd | null;
	/** How many messages are folded under it. */
	readonly foldedCount: number;
	readonly time: string;
}

/** All of a row in words, for a screen reader. */
export function rowName({ node, label, versionIndex, versionCount, isOnPath, cut }: OutlineEntry, options: NameOptions): string {
	const parts = [
		`${speakerOf(node)}: ${lineOf(node)}`,
		label === null ? '' : m.tree_label_named({ label }),
		versionCount > 1 ? m.version_of({ index: versionIndex + 1, count: versionCount }) : '',
		options.isCursor ? m.tree_here() : isOnPath ? m.tree_on_path() : '',
		options.isChosen ? m.tree_chosen_a() : '',
		options.copyEnd === null ? '' : copyEndText(options.copyEnd),
		cut === null ? '' : cutText(cut),
		options.foldedCount > 0 ? m.tree_under({ count: options.foldedCount }) : '',
		options.time
	];
	return parts.filter((part) => part !== '').join(', ');
}

export function cutText(cut: NonNullable<OutlineEntry['cut']>): string {
	return cut === 'circle' ? m.tree_cut_circle() : m.tree_cut_missing();
}
