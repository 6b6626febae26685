// Groups conversations by how long ago they were used, by the days of this place.
import type { Thread } from '#lib/core/domain/threads.ts';
import { m } from '#lib/i18n/generated/messages.js';

export interface ThreadGroup {
	readonly key: string;
	readonly label: string;
	readonly threads: readonly Thread[];
}

/** `threads` newest first; empty groups are left out. */
export function groupByDay(pinned: readonly Thread[], threads: readonly Thread[], now: Date): readonly ThreadGroup[] {
	const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days).getTime();
	const bounds = [
		{ key: 'today', label: m.group_today(), from: daysAgo(0) },
		{ key: 'yesterday', label: m.group_yesterday(), from: daysAgo(1) },
		{ key: 'week', label: m.group_week(), from: daysAgo(7) },
		{ key: 'month', label: m.group_month(), from: daysAgo(30) },
		{ key: 'older', label: m.group_older(), from: -Infinity }
	];
	const keyOf = (thread: Thread) => bounds.find((bound) => thread.updatedAt >= bound.from)?.key;
	return [
		{ key: 'pinned', label: m.group_pinned(), threads: pinned },
		...bounds.map(({ key, label }) => ({ key, label, threads: threads.filter((thread) => keyOf(thread) === key) }))
	].filter((group) => group.threads.length > 0);
}
