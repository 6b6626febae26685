// The first message of a conversation that does not exist yet.
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { Refusal } from '#lib/core/protocol/commands.ts';
import { ok, type Result } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { hasNode } from '#lib/storage/queries/has-node.ts';
import type { Session } from '../session.ts';
import { newTurn, type TurnSettings } from '../new-turn.ts';
import { Draft, newThreadDraftKey } from './draft.svelte.ts';

export class NewThread {
	readonly draft: Draft;
	readonly #session: Session;
	readonly #settings: () => TurnSettings;
	#isSending = false;
	/** Made, and still without a question. */
	#emptyThreadId: ThreadId | null = null;

	constructor(session: Session, settings: () => TurnSettings) {
		this.#session = session;
		this.#settings = settings;
		this.draft = new Draft(newThreadDraftKey, (id) => session.read((database) => hasNode(database, id)));
	}

	/** Makes the thread and asks its first question; the draft stays until both are durable. */
	async send(): Promise<Result<ThreadId, Refusal>> {
		const text = this.draft.text.trim();
		if (this.#isSending || text === '') return { ok: false, error: { code: 'message-empty' } };
		this.#isSending = true;
		try {
			const threadId = this.#emptyThreadId ?? newId();
			const messageNodeId = newId();
			this.draft.markSent(messageNodeId);
			if (this.#emptyThreadId === null) {
				const created = await this.#session.engine.send('thread.create', { threadId });
				if (!created.ok) return created;
				this.#emptyThreadId = threadId;
			}
			const asked = await this.#session.engine.send('turn.submit', {
				...newTurn(threadId, this.#settings()),
				messageNodeId,
				text
			});
			// An empty thread is kept for the next try, and never deleted: an engine that did not answer may still write the question.
			if (!asked.ok) return asked;
			this.#emptyThreadId = null;
			this.draft.clear();
			return ok(threadId);
		} finally {
			this.#isSending = false;
		}
	}
}
