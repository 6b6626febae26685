// What a person does with a message of the branch in view, and what is said of it.
import { toast } from 'svelte-sonner';
import type { NodeId } from '#lib/core/domain/ids.ts';
import { m } from '#lib/i18n/generated/messages.js';
import type { ThreadViewState } from '#lib/client/state/thread-view.svelte.ts';
import type { QuestionRow, ThreadRow } from '#lib/client/thread-rows.ts';

interface Ways {
	readonly ontree: () => void;
	/** What comes is followed. */
	readonly toEnd: () => void;
}

export class MessageGestures {
	readonly #thread: ThreadViewState;
	readonly #ways: () => Ways;

	constructor(thread: ThreadViewState, ways: () => Ways) {
		this.#thread = thread;
		this.#ways = ways;
	}

	/** A new version of a question, sent. */
	edit(row: QuestionRow, text: string): Promise<boolean> {
		this.#ways().toEnd();
		return this.#withHint(row, this.#thread.edit(row.node.id, text));
	}

	/** A new version of a question, kept for later. */
	save(row: QuestionRow, text: string): Promise<boolean> {
		return this.#withHint(row, this.#thread.saveVersion(row.node.id, text));
	}

	/** A new answer beside an answer; a first one for a question, or where none came. */
	answerAnew(row: ThreadRow): void {
		const nodeId = row.kind === 'question' ? row.node.id : row.kind === 'answer' ? (row.parts[0]?.id ?? row.run?.anchorNodeId) : undefined;
		if (nodeId === undefined) return;
		this.#ways().toEnd();
		void this.#withHint(row, this.#thread.regenerate(nodeId));
	}

	async remove(nodeId: NodeId): Promise<void> {
		const undo = await this.#thread.remove(nodeId);
		if (undo) toast(m.message_deleted(), { action: { label: m.undo(), onClick: () => void undo() } });
	}

	/** Where more goes out of view than the arrows at the message show at once, it is said that it is kept (I-16). */
	async #withHint(row: ThreadRow, accepted: Promise<boolean>): Promise<boolean> {
		const { rows, view } = this.#thread;
		const below = rows.length - 1 - rows.indexOf(row);
		const isCounted = view?.endsAtLeaf === true;
		if (!(await accepted)) return false;
		if (below > 1 || !isCounted) {
			const text = isCounted ? m.message_kept_elsewhere({ count: below }) : m.message_all_kept_elsewhere();
			toast(text, { action: { label: m.message_kept_show(), onClick: () => this.#ways().ontree() } });
		}
		return true;
	}
}
