// One write of the leading engine: fenced by the epoch, stamped, and whole or not at all. ENGINE WORKER. SPEC.md DB-20 to DB-26.
import type { Table, Transaction } from 'dexie';
import type { NodeId, Stamp, ThreadId } from '#lib/core/domain/ids.ts';
import type { NodeContent, TreeNode } from '#lib/core/domain/nodes.ts';
import { placeUnder } from '#lib/core/domain/place.ts';
import { nextStamp } from '#lib/core/domain/stamp.ts';
import { storableContent } from '#lib/core/protocol/node-content.ts';
import type { SyncedThreadField, Thread } from '#lib/core/domain/threads.ts';
import { invariant } from '#lib/core/std/invariant.ts';
import type { Clock } from '#lib/platform/clock.ts';
import type { BoughDatabase } from '../database.ts';
import type { DeviceRow } from '../rows.ts';
import type { LastWrite } from '../write-memory.ts';
import { threadChange } from './thread-change.ts';
import { writeRows, type RowsToWrite } from './write-rows.ts';

export interface WriteDeps {
	readonly database: BoughDatabase;
	readonly clock: Clock;
	/** The epoch that this engine leads in. */
	readonly epoch: number;
}

/** Another worker leads by now, or the database is another one: this engine must stop writing at once. Nothing of the transaction was kept. */
export class FencedError extends Error {
	override readonly name = 'FencedError';
}

export interface NewNode {
	readonly id: NodeId;
	readonly parentId: NodeId | null;
	readonly content: NodeContent;
	readonly ts?: number;
	readonly externalId?: string;
	readonly copiedFrom?: TreeNode['copiedFrom'];
}

/** Tables whose rows a command may keep back. Threads and nodes have ways of their own. */
type KeptTable = 'commandReceipts' | 'forkChoices' | 'inflight' | 'runs';
type KeptRow<Name extends KeptTable> = Parameters<BoughDatabase[Name]['put']>[0];

/**
 * What a command may do inside its transaction. Its writes are kept back and made together at the end, threads once however
 * often they change: requests that wait for nothing of each other cost one round through the browser instead of one each.
 */
export class UnitOfWork {
	readonly nowMs: number;
	readonly database: BoughDatabase;
	readonly #transaction: Transaction;
	/** As they are stored; undefined where there is none. */
	readonly #storedThreads = new Map<ThreadId, Thread | undefined>();
	readonly #changedThreads = new Map<ThreadId, Thread>();
	/** Nodes that this transaction appended, or appended something to. */
	readonly #nodes = new Map<NodeId, TreeNode>();
	/** Those among them that have a child. */
	readonly #parents = new Set<NodeId>();
	readonly #kept: RowsToWrite[] = [];
	/** The device's row as it is stored, once the epoch was found to be this engine's. */
	readonly #fence: PromiseLike<DeviceRow>;
	#storedDevice: DeviceRow | null = null;
	#device: DeviceRow | null = null;
	/** The node that was appended last; nothing hangs under it yet. */
	#leaf: TreeNode | null = null;

	/** Its own transaction has just been made, and asks for the fence before anything else. */
	constructor({ database, clock, epoch }: WriteDeps, transaction: Transaction, lastWrite: LastWrite | null) {
		this.database = database;
		this.nowMs = clock.nowMs();
		this.#transaction = transaction;
		if (lastWrite) this.#remember(lastWrite);
		this.#fence = this.#readFence(epoch, lastWrite);
		// What was asked for meanwhile must not come in, even if nobody has looked at the fence yet.
		this.#fence.then(undefined, () => transaction.abort());
	}

	#remember({ device, thread, leaf }: LastWrite): void {
		this.#storedDevice = this.#device = device;
		this.#storedThreads.set(thread.id, thread);
		if (leaf) this.#nodes.set(leaf.id, leaf);
	}

	#readFence(epoch: number, lastWrite: LastWrite | null): PromiseLike<DeviceRow> {
		// Asked for on the spot: nobody waits for the answer before the writes are asked for, but it comes before theirs.
		return this.database
			.tableBelowHooks('device')
			.get({ trans: this.#transaction.idbtrans, key: 'self' })
			.then((device: DeviceRow | undefined) => {
				// The site's data was cleared under this engine: who leads next begins anew.
				if (!device) throw new FencedError('the device row is gone');
				if (device.epoch !== epoch) throw new FencedError(`epoch ${epoch} was followed by ${device.epoch}`);
				invariant(!lastWrite || lastWrite.device.lastStamp === device.lastStamp, 'only this connection moves the clock of its epoch');
				this.#storedDevice ??= device;
				this.#device ??= device;
				return device;
			});
	}

	/** A new stamp, later than all that it rests on; durable with this transaction. Only after something was read in it. */
	stamp(...dependencies: (Stamp | undefined)[]): Stamp {
		invariant(this.#device, 'a stamp is made after the first read');
		const lastStamp = nextStamp(this.#device.deviceId, this.nowMs, this.#device.lastStamp, dependencies);
		this.#device = { ...this.#device, lastStamp };
		return lastStamp;
	}

	/** The thread as this transaction sees it; undefined when there is none. */
	async thread(id: ThreadId): Promise<Thread | undefined> {
		return this.#changedThreads.get(id) ?? this.#storedThread(id);
	}

	async #storedThread(id: ThreadId): Promise<Thread | undefined> {
		if (!this.#storedThreads.has(id)) this.#storedThreads.set(id, await this.database.threads.get(id));
		return this.#storedThreads.get(id);
	}

	/** Adds a row at the end, together with the other writes; `work` does not see it. */
	add<Name extends KeptTable>(table: Name, row: KeptRow<Name>): void {
		this.#kept.push({ table, type: 'add', rows: [row] });
	}

	/** `add` for a row that may be there already, and is replaced then. */
	put<Name extends KeptTable>(table: Name, row: KeptRow<Name>): void {
		this.#kept.push({ table, type: 'put', rows: [row] });
	}

	putThread(thread: Thread): void {
		this.#changedThreads.set(thread.id, thread);
	}

	/** Changes fields that sync will merge, each under a new stamp (sync 2.2). */
	setSynced(thread: Thread, fields: Partial<Pick<Thread, SyncedThreadField>>): Thread {
		const stamps: Partial<Record<SyncedThreadField, Stamp>> = { ...thread.stamps };
		for (const field of Object.keys(fields) as SyncedThreadField[]) stamps[field] = this.stamp(thread.stamps[field]);
		const changed: Thread = { ...thread, ...fields, stamps };
		this.putThread(changed);
		return changed;
	}

	/**
	 * Adds a node under a parent of the same thread, or as a root; takes `seq` from the thread's counter. Does not move the
	 * cursor. Throws InvariantError when thread or parent do not exist: commands check that before they decide (P-091).
	 */
	async append(threadId: ThreadId, node: NewNode): Promise<TreeNode> {
		const [placed] = await this.#place(threadId, [node]);
		invariant(placed, 'each node gets a place');
		this.#kept.push({ table: 'nodes', type: 'add', rows: [placed] });
		return placed;
	}

	/** `append` for many nodes, parents before their children, in one bulk write. */
	async appendAll(threadId: ThreadId, nodes: readonly NewNode[]): Promise<void> {
		const placed = await this.#place(threadId, nodes);
		this.#kept.push({ table: 'nodes', type: 'add', rows: placed });
	}

	/**
	 * All that must be read is read at once, and the rest awaits nothing: a transaction does not outlive thousands of awaits
	 * without a read or a write among them.
	 */
	async #place(threadId: ThreadId, nodes: readonly NewNode[]): Promise<TreeNode[]> {
		const thread = await this.thread(threadId);
		invariant(thread, 'a node is appended to a thread that exists');
		const unread = this.#unreadParents(nodes);
		if (unread.length > 0) await this.#readParents(unread);
		let seq = thread.lastSeq;
		const placed = nodes.map((node): TreeNode => {
			const parent = node.parentId === null ? null : this.#nodes.get(node.parentId);
			invariant(parent === null || parent?.threadId === threadId, 'a parent is a node of the same thread');
			const place: TreeNode = {
				id: node.id,
				threadId,
				parentId: node.parentId,
				seq: ++seq,
				ts: node.ts ?? this.nowMs,
				ord: this.stamp(parent?.ord),
				...placeUnder(node.id, parent, parent !== null && this.#parents.has(parent.id)),
				...(node.externalId === undefined ? {} : { externalId: node.externalId }),
				...(node.copiedFrom === undefined ? {} : { copiedFrom: node.copiedFrom }),
				...storableContent(node.content)
			};
			this.#nodes.set(place.id, place);
			if (parent) this.#parents.add(parent.id);
			return place;
		});
		this.#leaf = placed.at(-1) ?? this.#leaf;
		this.putThread({ ...thread, lastSeq: seq });
		return placed;
	}

	#unreadParents(nodes: readonly NewNode[]): NodeId[] {
		const own = new Set(nodes.map((node) => node.id));
		const unread = new Set<NodeId>();
		for (const { parentId } of nodes) if (parentId !== null && !own.has(parentId) && !this.#nodes.has(parentId)) unread.add(parentId);
		return [...unread];
	}

	/** Reads the nodes, and which of them have children, living or deleted. */
	async #readParents(ids: NodeId[]): Promise<void> {
		const [parents, ...childCounts] = await Promise.all([
			this.database.nodes.bulkGet(ids),
			...ids.map((id) => this.database.nodes.where('parentId').equals(id).count())
		]);
		for (const parent of parents) if (parent) this.#nodes.set(parent.id, parent);
		ids.forEach((id, index) => (childCounts[index] ?? 0) > 0 && this.#parents.add(id));
	}

	/** Throws FencedError when another engine leads. */
	async checkFence(): Promise<void> {
		await this.#fence;
	}

	/** Writes all that was kept back, changed threads, and the clock if it moved. Throws FencedError when another engine leads. */
	async finish(): Promise<void> {
		const threads = [...this.#changedThreads.values()];
		for (const { id } of threads) if (!this.#storedThreads.has(id)) await this.#storedThread(id);
		const hasClockMoved = this.#device !== this.#storedDevice;
		await Promise.all([
			this.#fence,
			writeRows(this.database, this.#transaction, [
				...this.#kept,
				{ table: 'threads', type: 'put', rows: threads },
				{ table: '_changes', type: 'add', rows: this.database.isObserved ? this.#changesOf(threads) : [] },
				{ table: 'device', type: 'put', rows: hasClockMoved ? [this.#device] : [] }
			])
		]);
	}

	#changesOf(threads: readonly Thread[]) {
		return threads.map((thread) => threadChange(this.#storedThreads.get(thread.id), thread)).filter((change) => change !== null);
	}

	/** What the memory is told once the transaction is through. */
	get lastWrite(): LastWrite | 'unchanged' | null {
		const thread = [...this.#changedThreads.values()].at(-1);
		if (!thread) return this.#device === this.#storedDevice ? 'unchanged' : null;
		return this.#device && { device: this.#device, thread, leaf: this.#leaf?.threadId === thread.id ? this.#leaf : null };
	}
}

/** The tables that any append touches. */
export const appendTables = ['threads', 'nodes'] as const;

/** Runs `work` in one transaction over `tables`. Throws FencedError for a leader of the past; else what `work` or the database throws. */
export async function writeTransaction<T>(deps: WriteDeps, tables: readonly string[], work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
	const { database } = deps;
	const stores: Table[] = [...new Set([...tables, 'device'])].map((name) => database.table(name));
	return database.transaction('rw', stores, async (transaction) => {
		const unit = new UnitOfWork(deps, transaction, database.writeMemory.begin());
		// One of the two comes, and before the caller goes on.
		transaction.on('complete', () => database.writeMemory.end(unit.lastWrite));
		transaction.on('error', () => database.writeMemory.end(null));
		try {
			const result = await work(unit);
			await unit.finish();
			return result;
		} catch (error) {
			// What a leader of the past makes of it says nothing.
			await unit.checkFence();
			throw error;
		}
	});
}
