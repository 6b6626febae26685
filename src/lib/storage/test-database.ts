// Databases in memory and a clock that only tests move, for the tests of storage and engine.
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { NodeContent, TreeNode } from '#lib/core/domain/nodes.ts';
import { newThread, type Thread } from '#lib/core/domain/threads.ts';
import type { Clock } from '#lib/platform/clock.ts';
import { BoughDatabase } from './database.ts';
import { beginEpoch } from './writes/lead.ts';
import type { WriteDeps } from './writes/write-transaction.ts';

export interface SteppedClock extends Clock {
	/** Moves both clocks on and wakes who has slept long enough. */
	step(byMs: number): void;
	/** Moves the wall clock alone, as a person or a time server does. */
	jump(byMs: number): void;
}

export function createSteppedClock(startMs = 1_700_000_000_000): SteppedClock {
	let nowMs = startMs;
	let monotonicMs = 0;
	const sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
	return {
		nowMs: () => nowMs,
		monotonicMs: () => monotonicMs,
		sleep: (delayMs, signal) =>
			new Promise((resolve) => {
				if (signal?.aborted) return resolve();
				const sleeper = { untilMs: monotonicMs + delayMs, wake: resolve };
				sleepers.add(sleeper);
				signal?.addEventListener('abort', () => {
					sleepers.delete(sleeper);
					resolve();
				});
			}),
		step(byMs) {
			nowMs += byMs;
			monotonicMs += byMs;
			for (const sleeper of [...sleepers].sort((a, b) => a.untilMs - b.untilMs)) {
				if (sleeper.untilMs > monotonicMs) continue;
				sleepers.delete(sleeper);
				sleeper.wake();
			}
		},
		jump(byMs) {
			nowMs += byMs;
		}
	};
}

let databases = 0;

/** An open database of its own; `factory`: the browser profile that several connections share. */
export async function setupDatabase(factory: IDBFactory = new IDBFactory(), name = `test-${++databases}`): Promise<BoughDatabase> {
	const database = new BoughDatabase(name, { addons: [], indexedDB: factory, IDBKeyRange });
	await database.open();
	return database;
}

export async function setupWriter(clock: Clock = createSteppedClock()): Promise<WriteDeps> {
	const database = await setupDatabase();
	return { database, clock, epoch: await beginEpoch(database, () => ({ deviceId: '00000000000000aa', epoch: 0 })) };
}

export function threadRow(id: ThreadId, fields: Partial<Thread> = {}): Thread {
	return newThread(id, 1, fields);
}

export function question(text: string): NodeContent {
	return { type: 'user_message', payload: { content: [{ type: 'text', text }] } };
}

export function answer(text: string, fields: Partial<Extract<NodeContent, { type: 'assistant_message' }>['payload']> = {}): NodeContent {
	return {
		type: 'assistant_message',
		payload: { content: [{ type: 'text', text }], model: 'm', connectionId: 'guide', status: 'complete', ...fields }
	};
}

export function turnContext(fields: Partial<Extract<NodeContent, { type: 'turn_context' }>['payload']> = {}): NodeContent {
	return {
		type: 'turn_context',
		payload: { turnId: 't', connectionId: 'guide', model: 'm', permissionPolicy: 'inherit', activeSkills: [], ...fields }
	};
}

/** A node with its place spelt out, for trees that no engine would write. */
export function treeNode(
	id: NodeId,
	parentId: NodeId | null,
	fields: Partial<Omit<TreeNode, 'type' | 'payload'>> & { readonly content?: NodeContent } = {}
): TreeNode {
	const { content = question(id), ...place } = fields;
	return { id, threadId: 't', parentId, seq: 1, ts: 1, ord: '', segmentId: id, depth: 0, ...place, ...content };
}
