// The list of conversations: as many as have been scrolled to, live.
import type { BoughDatabase } from '#lib/storage/database.ts';
import { readThreadList, type ThreadList } from '#lib/storage/queries/thread-list.ts';
import type { PayloadOf, Receipt } from '#lib/core/protocol/commands.ts';
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { Session } from '../session.ts';
import { LiveValue } from './live-value.svelte.ts';

const pageSize = 60;

export class ThreadListState {
	readonly #session: Session;
	readonly #live: LiveValue<ThreadList>;
	#limit = pageSize;
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
		this.#limit = pageSize;
		this.#live.ask((database) => this.#read(database));
	}

	loadMore(): void {
		if (!this.list?.hasMore) return;
		this.#limit += pageSize;
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
