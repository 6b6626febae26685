// The change feed's row for a thread, as dexie-observable would write it. ENGINE WORKER. SPEC.md DB-03; docs/decisions/0010.
import Dexie from 'dexie';
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { Thread } from '#lib/core/domain/threads.ts';

/** `type`: the addon's own numbers, 1 for a new row and 2 for a changed one. */
export type ThreadChange = {
	readonly source: null;
	readonly table: 'threads';
	readonly key: ThreadId;
	readonly obj: Thread;
} & ({ readonly type: 1 } | { readonly type: 2; readonly mods: Readonly<Record<string, unknown>>; readonly oldObj: Thread });

/** Dexie hands this difference to the addon's hook: a path such as `stats.turns` → its new value, undefined for one that went. */
const differenceOf = (Dexie as unknown as { getObjectDiff: (from: object, to: object) => Record<string, unknown> }).getObjectDiff;

/** Null when nothing changed. `stored`: the row that is replaced, undefined when there is none. */
export function threadChange(stored: Thread | undefined, thread: Thread): ThreadChange | null {
	const change = { source: null, table: 'threads', key: thread.id, obj: thread } as const;
	if (!stored) return { ...change, type: 1 };
	const mods: Record<string, unknown> = {};
	for (const [path, value] of Object.entries(differenceOf(stored, thread))) {
		// An array is another object each time, whether or not something in it is different.
		if (JSON.stringify(value) !== JSON.stringify(Dexie.getByKeyPath(stored, path))) mods[path] = value ?? null;
	}
	return Object.keys(mods).length === 0 ? null : { ...change, type: 2, mods, oldObj: stored };
}
