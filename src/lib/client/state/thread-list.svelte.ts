// The list of conversations: as many as have been scrolled to, live.
import type { BoughDatabase } from '#lib/storage/database.ts';
import { readThreadList, type ThreadList } from '#lib/storage/queries/thread-list.ts';
import type { PayloadOf, Receipt } from '#lib/core/protocol/commands.ts';
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { Session } from '../session.ts';
import { LiveValue } from './live-value.svelte.ts';

const firstLimit = 60;

export class ThreadListState {
	readonly #session: Session;
	readonly #live: LiveValue<ThreadList>;
	#limit = firstLimit;
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
