// The list of conversations: as many as have been scrolled to, live.
import type { BoughDatabase } from '#lib/storage/database.ts';
import { readThreadList, type ThreadList } from '#lib/storage/queries/thread-list.ts';
import type { ThreadView } from '#lib/storage/queries/thread-view.ts';
import type { PayloadOf, Receipt } from '#lib/core/protocol/commands.ts';
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { Session } from '../session.ts';
import { LiveValue } from './live-value.svelte.ts';

const firstLimit = 60;
/** What was read ahead longer ago than this may show what is no more. */
const freshMs = 2_000;

export class ThreadListState {
	readonly #session: Session;
	readonly #live: LiveValue<ThreadList>;
	#limit = firstLimit;
	#ahead: { readonly threadId: ThreadId; readonly atMs: number; readonly view: Promise<ThreadView | null> } | null = null;
	#archived = $state(false);

	constructor(session: Session) {
		this.#session = session;
		this.#live = new LiveValue(session, (database) => this.#read(database));
	}

	/** Undefined until it was read for the first time. */
	get list(): ThreadList | undefined {
		return this.#live.current;
	}

	get failure() {
		return this.#live.failure;
	}

	get archived(): boolean {
		return this.#archived;
	}

	set archived(archived: boolean) {
		this.#archived = archived;
		this.#limit = firstLimit;
		this.#live.ask((database) => this.#read(database));
	}

	loadMore(): void {
		// Each read begins anew: twice as many each time, so that all of a long list costs little more than its last read.
		if (!this.list?.hasMore || this.list.threads.length < this.#limit) return;
		this.#limit *= 2;
		this.#live.ask((database) => this.#read(database));
	}

	/** Begins to read a thread that is about to be opened: a press is some 100 ms earlier than its click. */
	readAhead(threadId: ThreadId): void {
		// What reads a thread is not loaded before one is opened.
		const view = import('../thread-window.ts').then(({ readFirstView }) => readFirstView(this.#session, threadId));
		this.#ahead = { threadId, atMs: performance.now(), view };
		// Told by the read that follows, if the thread is opened.
		this.#ahead.view.catch(() => undefined);
	}

	/** What `readAhead` has begun, once and for this thread only; undefined when there is nothing, or it is old. */
	takeReadAhead(threadId: ThreadId): Promise<ThreadView | null> | undefined {
		const ahead = this.#ahead;
		this.#ahead = null;
		return ahead?.threadId === threadId && performance.now() - ahead.atMs < freshMs ? ahead.view : undefined;
	}

	rename(threadId: ThreadId, title: string): Promise<Receipt<'thread.rename'>> {
		return this.#session.engine.send('thread.rename', { threadId, title });
	}

	update(payload: PayloadOf<'thread.update'>): Promise<Receipt<'thread.update'>> {
		return this.#session.engine.send('thread.update', payload);
	}

	remove(threadId: ThreadId): Promise<Receipt<'thread.delete'>> {
		return this.#session.engine.send('thread.delete', { threadId });
	}

	#read(database: BoughDatabase): Promise<ThreadList> {
		return readThreadList(database, { limit: this.#limit, archived: this.#archived });
	}
}
