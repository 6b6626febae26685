// One conversation on screen: the stretch of it that is read, what streams over it, and everything that can be done to it.
import type { SettingsAt } from '#lib/core/context/settings-at.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { Refusal } from '#lib/core/protocol/commands.ts';
import type { Result } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { askToKeepStorage } from '#lib/platform/persistence.ts';
import type { BoughDatabase } from '#lib/storage/database.ts';
import { hasNode } from '#lib/storage/queries/has-node.ts';
import { readPathBelow } from '#lib/storage/queries/path-window.ts';
import { readSettingsAt } from '#lib/storage/queries/settings-at.ts';
import { readThreadView, type ThreadView, type WindowRequest } from '#lib/storage/queries/thread-view.ts';
import type { Session } from '../session.ts';
import { newTurn, type TurnSettings } from '../new-turn.ts';
import { firstNodes, firstWindow, maxNodes, moreNodes, windowAbove } from '../thread-window.ts';
import { threadRows, type Streaming, type ThreadRow } from '../thread-rows.ts';
import { Draft } from './draft.svelte.ts';
import { LiveValue } from './live-value.svelte.ts';
import { StreamingAnswer } from './streaming-answer.svelte.ts';

export type { SettingsAt };

export class ThreadViewState {
	readonly threadId: ThreadId;
	readonly draft: Draft;
	readonly #session: Session;
	readonly #settings: () => TurnSettings;
	readonly #live: LiveValue<ThreadView | null>;
	readonly #streaming: StreamingAnswer;
	readonly #stopListening: () => void;
	#window: WindowRequest = firstWindow;
	#hasAskedForRepair = false;
	#lastView: ThreadView | null = null;
	#isGone = $state(false);
	#refusal = $state.raw<Refusal | null>(null);
	readonly #rows = $derived.by((): readonly ThreadRow[] => {
		const view = this.view;
		return view ? threadRows(view, this.streaming) : [];
	});

	/** `early`: what `readFirstView` of this thread answers, if that was begun already. */
	constructor(session: Session, threadId: ThreadId, settings: () => TurnSettings, early?: Promise<ThreadView | null>) {
		this.#session = session;
		this.threadId = threadId;
		this.#settings = settings;
		this.#live = new LiveValue(session, (database) => this.#read(database, this.#window), early);
		this.draft = new Draft(threadId, (id) => session.read((database) => hasNode(database, id)));
		this.#streaming = new StreamingAnswer(threadId, () => session.engine.watch(threadId));
		this.#stopListening = session.engine.listen((event) => this.#streaming.receive(event));
		session.engine.watch(threadId);
	}

	/** Undefined until it was read; null when there is no such thread; the last one when it is gone. */
	get view(): ThreadView | null | undefined {
		return this.#live.current;
	}

	/** The thread was here and is no more: deleted in another tab, or thrown away by the browser. What was read stays in view. */
	get isGone(): boolean {
		return this.#isGone;
	}

	get failure() {
		return this.#live.failure;
	}

	get rows(): readonly ThreadRow[] {
		return this.#rows;
	}

	/** Why the last command was refused; null once another one was accepted. */
	get refusal(): Refusal | null {
		return this.#refusal;
	}

	/** What has come of the run in progress, as far as this tab has heard of it. */
	get streaming(): Streaming {
		return this.#streaming;
	}

	get isBusy(): boolean {
		return !this.#isGone && this.view?.activeRun !== undefined;
	}

	/** Sends the draft as the next question. False when it was refused; the draft is kept then. */
	async send(): Promise<boolean> {
		const text = this.draft.text.trim();
		if (text === '') return false;
		const messageNodeId = newId();
		this.draft.markSent(messageNodeId);
		this.leavePoint();
		this.showLeaf();
		const isSent = this.#settle(await this.#session.engine.send('turn.submit', { ...this.#turn(), messageNodeId, text }));
		// What was typed while it was being sent is the next question.
		if (isSent && this.draft.text.trim() === text) this.draft.clear();
		if (isSent) void askToKeepStorage();
		return isSent;
	}

	async edit(nodeId: NodeId, text: string): Promise<boolean> {
		return this.#settle(
			await this.#session.engine.send('turn.fork', { ...this.#turn(), kind: 'edit', nodeId, messageNodeId: newId(), text })
		);
	}

	/** Keeps a new version of a question without asking a model (I-16). */
	async saveVersion(nodeId: NodeId, text: string): Promise<boolean> {
		const { threadId } = this;
		return this.#settle(await this.#session.engine.send('node.saveVersion', { threadId, nodeId, messageNodeId: newId(), text }));
	}

	async regenerate(nodeId: NodeId): Promise<boolean> {
		return this.#settle(await this.#session.engine.send('turn.fork', { ...this.#turn(), kind: 'regenerate', nodeId }));
	}

	async resume(nodeId: NodeId): Promise<boolean> {
		return this.#settle(await this.#session.engine.send('turn.resume', { ...this.#turn(), nodeId }));
	}

	async stop(): Promise<void> {
		const run = this.view?.activeRun;
		if (run) this.#settle(await this.#session.engine.send('turn.interrupt', { threadId: this.threadId, runId: run.id }));
	}

	/** What has been typed as a new version of a message: kept like any draft, until it was sent or given up. */
	editDraft(nodeId: NodeId, text: string): Draft {
		const draft = new Draft(`edit.${nodeId}`, (id) => this.#session.read((database) => hasNode(database, id)));
		if (draft.text === '') draft.text = text;
		return draft;
	}

	/** Shows another version of a message and the branch that follows from it. */
	async selectBranch(nodeId: NodeId): Promise<boolean> {
		const { pointId, endId, limit } = this.#window;
		if (endId !== null || pointId !== null) this.#ask({ pointId: null, endId: null, limit });
		return this.#settle(await this.#session.engine.send('thread.selectBranch', { threadId: this.threadId, nodeId }));
	}

	/** Answers the way back, null when it was refused. */
	async remove(nodeId: NodeId): Promise<(() => Promise<boolean>) | null> {
		const leafBefore = this.view?.thread.leafId;
		const receipt = await this.#session.engine.send('node.delete', { threadId: this.threadId, nodeId });
		if (!this.#settle(receipt)) return null;
		return async () =>
			this.#settle(
				await this.#session.engine.send('node.restore', {
					threadId: this.threadId,
					nodeId,
					...(leafBefore != null && receipt.ok && receipt.value.leafId !== leafBefore ? { leafId: leafBefore } : {})
				})
			);
	}

	/** Reads more towards the root. What is read is bounded: the other end is let go of. */
	loadEarlier(): void {
		const view = this.view;
		if (view && !view.startsAtRoot && view.nodes.length >= this.#window.limit) this.#ask(windowAbove(view, this.#window));
	}

	/** Reads on towards the leaf, where `loadEarlier` had let go of it. */
	async loadLater(): Promise<void> {
		const view = this.view;
		const last = view?.nodes.at(-1);
		const bottomId = view?.pointId ?? view?.thread.leafId;
		const window = this.#window;
		// The end is asked for already when the window has none of its own.
		if (!view || view.endsAtLeaf || window.endId === null || !last || bottomId == null) return;
		const below = await this.#session.read((database) => readPathBelow(database, this.threadId, last.id, bottomId, moreNodes));
		const end = below.at(-1);
		// Meanwhile something else was asked for: the very end, another branch.
		if (this.#window !== window) return;
		this.#ask({ ...window, endId: end === undefined || end.id === bottomId ? null : end.id, limit: maxNodes });
	}

	/** Shows the branch in view up to this node, with room above it; null: up to its end. */
	showUpTo(endId: NodeId | null): void {
		this.#ask({ pointId: null, endId, limit: firstNodes });
	}

	/** Shows the conversation as it stood at a message of any branch, to look at; the cursor stays where it is (T-003). */
	showPoint(pointId: NodeId): void {
		this.#ask({ pointId, endId: null, limit: firstNodes });
	}

	/** Back from `showPoint` to the branch in view. */
	leavePoint(): void {
		if (this.#window.pointId !== null) this.#ask({ pointId: null, endId: null, limit: firstNodes });
	}

	/** The next message begins a branch beside what follows this one (C-34). */
	async goOnFrom(nodeId: NodeId): Promise<boolean> {
		const isDone = this.#settle(
			await this.#session.engine.send('thread.selectBranch', { threadId: this.threadId, nodeId, position: 'at' })
		);
		if (isDone) this.showUpTo(null);
		return isDone;
	}

	/** What was in force at a message: the whole way up to it is read. */
	settingsAt(nodeId: NodeId): Promise<SettingsAt> {
		return this.#session.read((database) => readSettingsAt(database, this.threadId, nodeId));
	}

	/** Names a message, or takes its name away with an empty label. */
	async label(targetId: NodeId, label: string): Promise<boolean> {
		return this.#settle(await this.#session.engine.send('node.label', { threadId: this.threadId, labelNodeId: newId(), targetId, label }));
	}

	/** Back to the end of the branch, or to the point that is looked at. */
	showLeaf(): void {
		if (this.#window.endId !== null) this.#ask({ ...this.#window, endId: null, limit: firstNodes });
	}

	close(): void {
		this.#stopListening();
	}

	#ask(window: WindowRequest): void {
		this.#window = window;
		this.#live.ask((database) => this.#read(database, window));
	}

	// Not `async`: a live read is followed through Dexie's own promises, and a native one between them can cost it its transaction.
	#read(database: BoughDatabase, window: WindowRequest): Promise<ThreadView | null> {
		return readThreadView(database, this.threadId, window).then((view) => this.#keep(view));
	}

	#keep(view: ThreadView | null): ThreadView | null {
		// Once for each opening: what cannot be mended stays as it is, and is shown all the same.
		if (view?.isDamaged && !view.activeRun && !this.#hasAskedForRepair) {
			this.#hasAskedForRepair = true;
			void this.#session.engine.send('thread.repair', { threadId: this.threadId });
		}
		this.#isGone = view === null && this.#lastView !== null;
		this.#lastView = view ?? this.#lastView;
		return this.#lastView;
	}

	#turn() {
		return newTurn(this.threadId, this.#settings());
	}

	#settle(receipt: Result<unknown, Refusal>): boolean {
		this.#refusal = receipt.ok ? null : receipt.error;
		return receipt.ok;
	}
}
