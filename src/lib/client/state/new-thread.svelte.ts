// The first message of a conversation that does not exist yet.
import type { ThreadId } from '#lib/core/domain/ids.ts';
import type { Refusal } from '#lib/core/protocol/commands.ts';
import { ok, type Result } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { hasNode } from '#lib/storage/queries/has-node.ts';
import { askToKeepStorage } from '#lib/platform/persistence.ts';
import type { Session } from '../session.ts';
import { newTurn, type TurnSettings } from '../new-turn.ts';
import { Draft, newThreadDraftKey } from './draft.svelte.ts';

export class NewThread {
	readonly draft: Draft;
	readonly #session: Session;
	readonly #settings: () => TurnSettings;
	#isSending = false;

	constructor(session: Session, settings: () => TurnSettings) {
		this.#session = session;
		this.#settings = settings;
		this.draft = new Draft(newThreadDraftKey, (id) => session.read((database) => hasNode(database, id)));
	}

	/** Makes the thread together with its first question; the draft stays until both are durable. */
	async send(): Promise<Result<ThreadId, Refusal>> {
		const text = this.draft.text.trim();
		if (this.#isSending || text === '') return { ok: false, error: { code: 'message-empty' } };
		this.#isSending = true;
		try {
			const threadId = newId();
			const messageNodeId = newId();
			this.draft.markSent(messageNodeId);
			const asked = await this.#session.engine.send('turn.submit', {
				...newTurn(threadId, this.#settings()),
				messageNodeId,
				text,
				createsThread: true
			});
			if (!asked.ok) return asked;
			// What was typed while it was being sent belongs to the thread that opens now.
			if (this.draft.text.trim() === text) this.draft.clear();
			else this.draft.moveTo(threadId);
			void askToKeepStorage();
			return ok(threadId);
		} finally {
			this.#isSending = false;
		}
	}
}
