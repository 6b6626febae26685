// The whole tree of one conversation beside it: what is listed, folded, found and chosen, and everything that can be done to a
// branch. SPEC.md VIEW-20 to VIEW-26.
import { deletionsOf, type Deletion } from '#lib/core/domain/deletions.ts';
import type { NodeId, Stamp, ThreadId } from '#lib/core/domain/ids.ts';
import { nearestShown, rowsOf, shownBy, unfoldedRows, type OutlineFilter, type OutlineRow } from '#lib/core/domain/outline-rows.ts';
import { forksOf, otherBranchesCount, outlineOf, type Outline, type OutlineEntry, type OutlineNode } from '#lib/core/domain/outline.ts';
import { pathTo, treeOf } from '#lib/core/domain/tree.ts';
import type { Refusal } from '#lib/core/protocol/commands.ts';
import { err, ok, type Result } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { readQuestionText } from '#lib/storage/queries/node-text.ts';
import { readTreeOutline } from '#lib/storage/queries/tree-outline.ts';
import { indexRows, noFolds, withFolds, type Folds } from '../folds.ts';
import type { Session } from '../session.ts';
import { LiveValue } from './live-value.svelte.ts';
import type { ThreadViewState } from './thread-view.svelte.ts';

/** Trees of more messages open with the branches folded that the one in view does not lead through. */
const unfoldedUpTo = 300;
/** Nodes that are read below a message that is jumped to. */
const nodesBelow = 30;

/** The stretch of a branch that is to be copied. */
export interface Copying {
	readonly fromId: NodeId;
	readonly toId: NodeId | null;
}

/** What was done to some messages, and the way back. */
export interface Undoable {
	readonly count: number;
	readonly undo: () => Promise<Result<unknown, Refusal>>;
}

type Done<T> = Promise<Result<T, Refusal>>;
type ThreadOfTree = Pick<ThreadViewState, 'threadId' | 'view' | 'draft' | 'showUpTo'>;

export class TreeViewState {
	readonly #session: Pick<Session, 'engine' | 'read' | 'watch'>;
	readonly #thread: ThreadOfTree;
	readonly #live: LiveValue<readonly OutlineNode[]>;
	#filter = $state.raw<OutlineFilter>('all');
	#search = $state.raw('');
	#folds = $state.raw<Folds>(noFolds);
	#wantedId = $state.raw<NodeId | null>(null);
	#comparedId = $state.raw<NodeId | null>(null);
	#copying = $state.raw<Copying | null>(null);
	readonly #outline = $derived.by((): Outline | undefined => {
		const nodes = this.#live.current;
		return nodes && outlineOf(nodes, this.#leafId);
	});
	readonly #isShown = $derived(shownBy(this.#filter, this.#search));
	readonly #allRows = $derived(this.#outline ? rowsOf(this.#outline, this.#isShown) : []);
	readonly #rows = $derived(unfoldedRows(this.#allRows, (row) => this.isFolded(row)));
	readonly #indexById = $derived(indexRows(this.#rows));
	readonly #activeIndex = $derived.by(() => {
		const outline = this.#outline;
		if (!outline) return 0;
		const isListed = (entry: OutlineEntry) => this.#indexById.has(entry.node.id);
		const wanted = this.#wantedId ?? outline.cursorId;
		const id = nearestShown(outline, wanted, isListed) ?? nearestShown(outline, outline.cursorId, isListed);
		return id === null ? 0 : (this.#indexById.get(id) ?? 0);
	});
	readonly #deletions = $derived.by(() => deletionsOf(this.#live.current ?? []));
	readonly #forks = $derived(this.#outline ? forksOf(this.#outline) : []);

	constructor(session: Pick<Session, 'engine' | 'read' | 'watch'>, thread: ThreadOfTree) {
		this.#session = session;
		this.#thread = thread;
		this.#live = new LiveValue(session, (database) => readTreeOutline(database, thread.threadId));
	}

	get threadId(): ThreadId {
		return this.#thread.threadId;
	}

	/** Undefined until the tree was read. */
	get outline(): Outline | undefined {
		return this.#outline;
	}

	get failure() {
		return this.#live.failure;
	}

	/** What is listed: filtered, searched and folded. */
	get rows(): readonly OutlineRow[] {
		return this.#rows;
	}

	get forks() {
		return this.#forks;
	}

	get deletions(): readonly Deletion[] {
		return this.#deletions;
	}

	get isFiltered(): boolean {
		return this.#filter !== 'all' || this.#search.trim() !== '';
	}

	get filter(): OutlineFilter {
		return this.#filter;
	}

	/** A filter and a search begin with nothing folded, and end with what was (E-62). */
	set filter(filter: OutlineFilter) {
		this.#filter = filter;
		this.#folds = noFolds;
	}

	get search(): string {
		return this.#search;
	}

	set search(search: string) {
		this.#search = search;
		this.#folds = noFolds;
	}

	/** Place of the row that keys act on; 0 when there are none. */
	get activeIndex(): number {
		return this.#activeIndex;
	}

	get active(): OutlineRow | undefined {
		return this.#rows[this.#activeIndex];
	}

	activate(id: NodeId): void {
		this.#wantedId = id;
	}

	isFolded(row: OutlineRow): boolean {
		const chosen = this.#folds.get(row.entry.node.id);
		if (chosen !== undefined) return chosen;
		return !this.isFiltered && !row.entry.isOnPath && (this.#outline?.entries.length ?? 0) > unfoldedUpTo;
	}

	fold(row: OutlineRow, isFolded: boolean): void {
		this.#folds = withFolds(this.#folds, [row], isFolded);
	}

	/** Unfolds what stands beside `row`. */
	unfoldBeside(row: OutlineRow): void {
		const beside = this.#rows.filter((each) => each.parentRowId === row.parentRowId);
		this.#folds = withFolds(this.#folds, beside, false);
	}

	/** Folds everything that the branch in view does not lead through, or unfolds everything. */
	foldAll(isFolded: boolean): void {
		const folded = isFolded ? this.#allRows.filter((row) => !row.entry.isOnPath) : [];
		this.#folds = withFolds(withFolds(noFolds, this.#allRows, false), folded, true);
	}

	/** The message that was chosen first for a comparison. */
	get comparedId(): NodeId | null {
		return this.#comparedId;
	}

	/** Answers the pair when this was the second choice; choosing the first one again takes it back. */
	chooseForComparing(id: NodeId): readonly [NodeId, NodeId] | null {
		const first = this.#comparedId !== null && this.#outline?.entriesById.has(this.#comparedId) ? this.#comparedId : null;
		this.#comparedId = first === null ? id : null;
		return first === null || first === id ? null : [first, id];
	}

	/** Shows the branch of a message down to its end, with the message in what is read (C-34). */
	async show(nodeId: NodeId): Done<unknown> {
		this.#wantedId = nodeId;
		const receipt = await this.#session.engine.send('thread.selectBranch', { threadId: this.threadId, nodeId, position: 'end' });
		if (!receipt.ok) return receipt;
		const path = pathTo(treeOf(this.#live.current ?? []), receipt.value.leafId);
		const place = path.findIndex((node) => node.id === nodeId);
		this.#thread.showUpTo(place < 0 ? null : (path[place + nodesBelow]?.id ?? null));
		return receipt;
	}

	/** The next message begins a branch beside what follows this one (C-34). */
	async goOnFrom(nodeId: NodeId): Done<unknown> {
		const receipt = await this.#session.engine.send('thread.selectBranch', { threadId: this.threadId, nodeId, position: 'at' });
		if (receipt.ok) this.#thread.showUpTo(null);
		return receipt;
	}

	/** Puts a question's text into the message field, with the cursor before it (C-34). Answers what was typed there. */
	async editFrom(nodeId: NodeId): Done<string> {
		const text = await this.#session.read((database) => readQuestionText(database, nodeId));
		const receipt = await this.#session.engine.send('thread.selectBranch', { threadId: this.threadId, nodeId, position: 'before' });
		if (!receipt.ok) return receipt;
		this.#thread.showUpTo(null);
		const typed = this.#thread.draft.text;
		this.#thread.draft.text = text ?? '';
		return ok(typed);
	}

	/** An empty label takes the name away. */
	label(targetId: NodeId, label: string): Done<unknown> {
		return this.#session.engine.send('node.label', { threadId: this.threadId, labelNodeId: newId(), targetId, label });
	}

	async remove(nodeId: NodeId): Done<Undoable> {
		const leafBefore = this.#leafId;
		const receipt = await this.#session.engine.send('node.delete', { threadId: this.threadId, nodeId });
		if (!receipt.ok) return receipt;
		const leaf = leafBefore === null || receipt.value.leafId === leafBefore ? {} : { leafId: leafBefore };
		const undo = () => this.#session.engine.send('node.restore', { threadId: this.threadId, nodeId, ...leaf });
		return ok({ count: 1, undo });
	}

	async removeBranch(nodeId: NodeId): Done<Undoable> {
		const leafBefore = this.#leafId;
		const receipt = await this.#session.engine.send('branch.delete', { threadId: this.threadId, nodeId });
		if (!receipt.ok) return receipt;
		const { count, deletion, leafId } = receipt.value;
		return ok({ count, undo: () => this.restore(deletion, leafBefore === leafId ? null : leafBefore) });
	}

	/** Messages that `removeOthers` would take. */
	get othersCount(): number {
		return this.#outline ? otherBranchesCount(this.#outline) : 0;
	}

	async removeOthers(): Done<Undoable> {
		const leafId = this.#leafId;
		if (leafId === null) return ok({ count: 0, undo: () => Promise.resolve(ok({})) });
		const receipt = await this.#session.engine.send('branch.deleteOthers', { threadId: this.threadId, leafId });
		if (!receipt.ok) return receipt;
		const { count, deletion } = receipt.value;
		return ok({ count, undo: () => (deletion === null ? Promise.resolve(ok({})) : this.restore(deletion, null)) });
	}

	/** `leafId`: where the cursor goes; null leaves it where it is. */
	restore(deletion: Stamp, leafId: NodeId | null): Done<{ readonly count: number }> {
		return this.#session.engine.send('branch.restore', { threadId: this.threadId, deletion, ...(leafId === null ? {} : { leafId }) });
	}

	/** What is chosen to be copied to another place; `toId` null until its last message is. */
	get copying(): Copying | null {
		return this.#copying;
	}

	/**
	 * What choosing a message does next: it is the first to be copied, the last one, or the one that the copy goes under. A
	 * message that was deleted meanwhile, or is of another branch, begins anew.
	 */
	copyStep(nodeId: NodeId): 'from' | 'to' | 'under' {
		const { fromId, toId } = this.#copying ?? {};
		if (fromId === undefined || !this.#isListed(fromId)) return 'from';
		if (toId != null && this.#isListed(toId)) return 'under';
		return this.#isOnWay(fromId, nodeId) ? 'to' : 'from';
	}

	copyFrom(fromId: NodeId): void {
		this.#copying = { fromId, toId: null };
	}

	copyTo(toId: NodeId): void {
		if (this.#copying) this.#copying = { ...this.#copying, toId };
	}

	/** To the end of the branch: of the one in view where it leads through, else of the newest way on. */
	copyToEnd(): void {
		const from = this.#copying?.fromId;
		for (let entry = this.#entry(from); entry;) {
			const { node, childIds } = entry;
			const nextId = childIds.find((id) => this.#entry(id)?.isOnPath) ?? childIds.at(-1);
			if (nextId === undefined) return this.copyTo(node.id);
			entry = this.#entry(nextId);
		}
	}

	stopCopying(): void {
		this.#copying = null;
	}

	/** Copies what was chosen under a message; nothing is moved (ENG-35). */
	async putCopyUnder(targetId: NodeId): Done<Undoable> {
		const { threadId } = this;
		const { fromId, toId } = this.#copying ?? {};
		if (fromId === undefined || toId == null) return err({ code: 'node-not-found' });
		const leafBefore = this.#leafId;
		const receipt = await this.#session.engine.send('node.graft', { threadId, fromId, toId, targetId });
		if (!receipt.ok) return receipt;
		this.#copying = null;
		this.#thread.showUpTo(null);
		const { count, firstId } = receipt.value;
		const undo = async () => {
			const deleted = await this.#session.engine.send('branch.delete', { threadId, nodeId: firstId });
			if (!deleted.ok || leafBefore === null) return deleted;
			return this.#session.engine.send('thread.selectBranch', { threadId, nodeId: leafBefore, position: 'at' });
		};
		return ok({ count, undo });
	}

	/** Answers the new thread. */
	async forkToThread(nodeId: NodeId, scope: 'path' | 'below', title: string): Done<ThreadId> {
		const newThreadId = newId();
		const receipt = await this.#session.engine.send('thread.fork', { threadId: this.threadId, nodeId, newThreadId, scope, title });
		return receipt.ok ? ok(newThreadId) : receipt;
	}

	#entry(id: NodeId | undefined): OutlineEntry | undefined {
		return id === undefined ? undefined : this.#outline?.entriesById.get(id);
	}

	#isListed(id: NodeId): boolean {
		return this.#entry(id) !== undefined;
	}

	/** Whether the way up from `id` leads over `aboveId`, or begins there. The outline has no circles. */
	#isOnWay(aboveId: NodeId, id: NodeId): boolean {
		let entry = this.#entry(id);
		while (entry && entry.node.id !== aboveId) entry = this.#entry(entry.parentId ?? undefined);
		return entry !== undefined;
	}

	get #leafId(): NodeId | null {
		return this.#thread.view?.thread.leafId ?? null;
	}
}
