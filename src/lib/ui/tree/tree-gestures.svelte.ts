// What a person does with the tree, from the wish to the word that says it is done: what is asked first, what is told, what can
// be undone. The commands are the state's. SPEC.md OUTL-04.
import { tick } from 'svelte';
import { toast } from 'svelte-sonner';
import type { Deletion } from '#lib/core/domain/deletions.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { errorText } from '#lib/i18n/error-text.ts';
import { m } from '#lib/i18n/generated/messages.js';
import type { ThreadViewState } from '#lib/client/state/thread-view.svelte.ts';
import type { TreeViewState, Undoable } from '#lib/client/state/tree-view.svelte.ts';
import type { RowAct } from './row-actions.ts';

interface Ways {
	/** A message whose branch is in view now. */
	readonly onshown: (id: NodeId) => void;
	/** The message field has a new text, or a new place. */
	readonly oncompose: () => void;
	readonly onopenthread: (id: ThreadId) => void;
	/** Two messages were chosen; undefined where nothing can be compared. */
	readonly oncompare: ((firstId: NodeId, secondId: NodeId) => void) | undefined;
}

type Outcome<T> =
	{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: { readonly code: string; readonly detail?: string } };

/** What was accepted; null for a refusal, which is told. */
function taken<T>(outcome: Outcome<T>): { readonly value: T } | null {
	if (outcome.ok) return outcome;
	toast.error(errorText(outcome.error.code));
	return null;
}

export class TreeGestures {
	readonly #tree: TreeViewState;
	readonly #thread: ThreadViewState;
	readonly #ways: () => Ways;
	#status = $state('');
	/** The message that a name is asked for. */
	labelling = $state.raw<NodeId | null>(null);
	/** What a deletion is asked about. */
	deleting = $state.raw<NodeId | 'others' | null>(null);

	constructor(tree: TreeViewState, thread: ThreadViewState, ways: () => Ways) {
		this.#tree = tree;
		this.#thread = thread;
		this.#ways = ways;
	}

	/** Read out by a screen reader. */
	get status(): string {
		return this.#status;
	}

	get isAsking(): boolean {
		return this.labelling !== null || this.deleting !== null;
	}

	/** How many messages the deletion that is asked about takes. */
	get deletingCount(): number {
		if (this.deleting === 'others') return this.#tree.othersCount;
		return this.deleting === null ? 0 : (this.#tree.outline?.entriesById.get(this.deleting)?.size ?? 0);
	}

	async show(id: NodeId): Promise<void> {
		if (!taken(await this.#tree.show(id))) return;
		this.#say(m.tree_done_shown());
		this.#ways().onshown(id);
	}

	async perform(act: RowAct, id: NodeId): Promise<void> {
		switch (act) {
			case 'show':
				return this.show(id);
			case 'point':
				this.#thread.showPoint(id);
				this.#tree.activate(id);
				this.#say(m.tree_done_point());
				return this.#ways().onshown(id);
			case 'go-on':
				if (!taken(await this.#tree.goOnFrom(id))) return;
				this.#tell(m.tree_done_go_on());
				return this.#ways().oncompose();
			case 'edit':
				return this.#edit(id);
			case 'label':
				this.labelling = id;
				return;
			case 'unlabel':
				return this.label(id, '');
			case 'compare':
				return this.#compare(id);
			case 'copy':
				return this.#copy(id);
			case 'fork':
				return this.#fork(id, 'path');
			case 'fork-below':
				return this.#fork(id, 'below');
			case 'delete': {
				const done = taken(await this.#tree.remove(id));
				if (done) this.#tellDeleted(done.value);
				return;
			}
			case 'delete-branch':
				this.deleting = id;
		}
	}

	askToDeleteOthers(): void {
		if (this.#tree.othersCount === 0) this.#tell(m.tree_delete_others_none());
		else this.deleting = 'others';
	}

	async label(id: NodeId, text: string): Promise<void> {
		this.labelling = null;
		if (!taken(await this.#tree.label(id, text))) return;
		this.#say(text === '' ? m.tree_done_unlabelled() : m.tree_done_labelled({ label: text }));
	}

	/** Deletes what was asked about. */
	async deleteConfirmed(): Promise<void> {
		const what = this.deleting;
		this.deleting = null;
		if (what === null) return;
		const done = taken(await (what === 'others' ? this.#tree.removeOthers() : this.#tree.removeBranch(what)));
		if (done) this.#tellDeleted(done.value);
	}

	async restore({ stamp }: Deletion): Promise<void> {
		const done = taken(await this.#tree.restore(stamp, null));
		if (done) this.#tell(m.tree_done_restored({ count: done.value.count }));
	}

	async #edit(id: NodeId): Promise<void> {
		if (this.#tree.outline?.entriesById.get(id)?.node.type !== 'user_message') return;
		const done = taken(await this.#tree.editFrom(id));
		if (!done) return;
		const typed = done.value;
		if (typed.trim() === '') this.#tell(m.tree_done_edit());
		else {
			toast(`${m.tree_done_edit()} ${m.tree_done_edit_replaced()}`, {
				action: { label: m.undo(), onClick: () => (this.#thread.draft.text = typed) }
			});
		}
		this.#ways().oncompose();
	}

	#compare(id: NodeId): void {
		const { oncompare } = this.#ways();
		if (!oncompare) return;
		const pair = this.#tree.chooseForComparing(id);
		if (pair) oncompare(...pair);
		else if (this.#tree.comparedId !== null) this.#tell(m.tree_done_compare_first());
	}

	async #copy(id: NodeId): Promise<void> {
		const step = this.#tree.copyStep(id);
		if (step === 'from') {
			this.#tree.copyFrom(id);
			this.#say(m.tree_copy_choose_last());
		} else if (step === 'to') {
			this.#tree.copyTo(id);
			this.#say(m.tree_copy_choose_place());
		} else {
			const done = taken(await this.#tree.putCopyUnder(id));
			if (!done) return;
			const { count, undo } = done.value;
			this.#tellUndoable(m.tree_done_copied({ count }), undo, () => m.tree_done_copy_undone());
			this.#ways().onshown(id);
		}
	}

	async #fork(id: NodeId, scope: 'path' | 'below'): Promise<void> {
		const title = m.tree_fork_title({ title: this.#thread.view?.thread.title || m.thread_untitled() });
		const done = taken(await this.#tree.forkToThread(id, scope, title));
		if (done) this.#ways().onopenthread(done.value);
	}

	#tellDeleted({ count, undo }: Undoable): void {
		this.#tellUndoable(m.tree_done_deleted({ count }), undo, () => m.tree_done_restored({ count }));
	}

	#tellUndoable(text: string, undo: Undoable['undo'], undone: () => string): void {
		const onClick = async () => {
			if (taken(await undo())) this.#say(undone());
		};
		toast(text, { action: { label: m.undo(), onClick: () => void onClick() } });
	}

	/** Where the screen shows by itself what was done. The same words twice are two. */
	#say(text: string): void {
		this.#status = '';
		void tick().then(() => (this.#status = text));
	}

	/** Where nothing else says it; a toast is read out too. */
	#tell(text: string): void {
		toast(text);
	}
}
