// What the last write left behind, so that the next one need not read it. ENGINE WORKER. SPEC.md DB-26; docs/decisions/0010.
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import type { Thread } from '#lib/core/domain/threads.ts';
import type { DeviceRow } from './rows.ts';

/** Rows as they are stored. */
export interface LastWrite {
	/** Proves the others: a write that finds another clock or epoch on disk is given up. */
	readonly device: DeviceRow;
	readonly thread: Thread;
	/** A node of the thread without children; null when none is known. */
	readonly leaf: TreeNode | null;
}

/**
 * The memory of one connection. It is trusted by a write that begins while no other is at work, and only until something else
 * writes one of its tables, a write fails, or another worker leads: the one that writes finds that out in its transaction.
 */
export class WriteMemory {
	#lastWrite: LastWrite | null = null;
	#writesAtWork = 0;
	/** Something was written past the writes that are at work, or by one of them without its saying so. */
	#isUnsure = false;

	/** A write's transaction has just been made. The browser runs it behind those at work, so that what they change must be read. */
	begin(): LastWrite | null {
		this.#writesAtWork++;
		return this.#writesAtWork === 1 ? this.#lastWrite : null;
	}

	/** Its transaction is over. `lastWrite`: `unchanged` when it wrote none of the rows, null when what is stored is not known. */
	end(lastWrite: LastWrite | 'unchanged' | null): void {
		if (lastWrite !== 'unchanged') this.#lastWrite = lastWrite;
		if (this.#isUnsure) this.#lastWrite = null;
		this.#writesAtWork--;
		if (this.#writesAtWork === 0) this.#isUnsure = false;
	}

	/** A row of its tables is written by somebody who does not keep the memory. */
	forget(): void {
		this.#lastWrite = null;
		this.#isUnsure = this.#writesAtWork > 0;
	}
}
