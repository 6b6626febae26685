// Two branches of one conversation beside each other: what stands beside what, which part of it is read, and what can be done
// with a side. SPEC.md VIEW-50 to VIEW-54.
import {
	branchEnds,
	comparedItems,
	compareBranches,
	lastAnswers,
	type BranchEnds,
	type ComingAnswer,
	type ComparedItem,
	type ComparedPair,
	type Comparison
} from '#lib/core/domain/comparison.ts';
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { outlineOf, type Outline, type OutlineEntry } from '#lib/core/domain/outline.ts';
import { treeOf } from '#lib/core/domain/tree.ts';
import { readBodies, readTreeShape, type TreeShape } from '#lib/storage/queries/comparison.ts';
import type { RunRow } from '#lib/storage/rows.ts';
import type { Session } from '../session.ts';
import { comparedRow } from '../compared-row.ts';
import type { ThreadRow } from '../thread-rows.ts';
import { DifferenceFinder } from '../word-differences/difference-finder.ts';
import type { FoundDifferences } from '../word-differences/find-differences.ts';
import { Recent } from '../word-differences/recent.ts';
import { LiveValue } from './live-value.svelte.ts';
import type { ThreadViewState } from './thread-view.svelte.ts';
import { WordDifferences } from './word-differences.svelte.ts';

/** Pairs in view at first, added at an end, and kept at most. */
const firstPairs = 20;
const morePairs = 20;
const maxPairs = 120;
/** Messages of the shared beginning that are added at once, and kept at most. */
const moreCommon = 20;
const maxCommon = 200;
/** Branches that a side can be sent to by its list. */
const maxEnds = 100;

/** Texts with fewer words are marked whatever they share; others when they share this much. */
const fewWords = 80;
const leastLikeness = 0.35;

/** Whether marks would show more than they hide: two texts that share little are a patchwork of marks. */
export function isWorthMarking({ onlyInA, onlyInB, likeness }: FoundDifferences): boolean {
	return onlyInA + onlyInB < fewWords || likeness >= leastLikeness;
}

export type SideName = 'a' | 'b';

/** The two messages that the branches were chosen by. */
export type ChosenPair = Readonly<Record<SideName, NodeId>>;

type ThreadOfComparison = Pick<ThreadViewState, 'threadId' | 'view' | 'streaming' | 'selectBranch'>;

export class ComparisonState {
	readonly #thread: ThreadOfComparison;
	readonly #chosen: () => ChosenPair;
	readonly #shape: LiveValue<TreeShape>;
	readonly #finder: Pick<DifferenceFinder, 'find' | 'close'>;
	#window = $state.raw({ from: 0, to: firstPairs });
	#commonCount = $state.raw(0);
	#isLastOnly = $state.raw(false);
	/** Of the moment before: shown until what is asked for now was read. A payload never changes. */
	#bodiesBefore: ReadonlyMap<NodeId, TreeNode> | undefined;
	/** By the nodes of a pair. */
	readonly #differences = new Recent<{ readonly a: string; readonly b: string; readonly found: WordDifferences }>(2 * maxPairs);
	readonly #tree = $derived.by(() => treeOf(this.#shape.current?.nodes ?? []));
	readonly #outline = $derived.by((): Outline | undefined => {
		const shape = this.#shape.current;
		// Where the cursor stands is nothing to a comparison.
		return shape && outlineOf(shape.nodes, null);
	});
	readonly #run = $derived.by((): RunRow | null => this.#thread.view?.activeRun ?? null);
	/** A text, so that nothing is compared anew while the answer grows. */
	readonly #comingText = $derived.by(() => {
		const run = this.#run;
		// Once the answer is a node, the run may still be there for a moment.
		if (!run || this.#tree.nodesById.has(run.answerNodeId)) return 'null';
		const coming: ComingAnswer = { answerId: run.answerNodeId, parentId: run.parentNodeId, continuesId: run.continuesNodeId ?? null };
		return JSON.stringify(coming);
	});
	readonly #coming = $derived(JSON.parse(this.#comingText) as ComingAnswer | null);
	readonly #comparison = $derived.by((): Comparison | undefined => {
		const [shape, outline] = [this.#shape.current, this.#outline];
		if (!shape || !outline) return undefined;
		const { a, b } = this.#chosen();
		return compareBranches({ tree: this.#tree, outline, choices: shape.choices, coming: this.#coming }, a, b);
	});
	readonly #all = $derived.by((): readonly ComparedPair[] => {
		const pairs = this.#comparison?.pairs ?? [];
		return this.#isLastOnly ? lastAnswers(pairs) : pairs;
	});
	readonly #pairs = $derived(this.#all.slice(this.#window.from, this.#window.to));
	readonly #common = $derived.by(() =>
		this.#commonCount === 0 ? [] : comparedItems(this.#comparison?.common ?? []).slice(-this.#commonCount)
	);
	/** A text, so that what asks for the same nodes is the same. */
	readonly #wanted = $derived.by(() => {
		const items = [...this.#common, ...this.#pairs.flatMap(({ a, b }) => [a, b])];
		return JSON.stringify(items.flatMap((item) => item?.ids ?? []));
	});
	readonly #bodies: LiveValue<ReadonlyMap<NodeId, TreeNode>>;

	/** `chosen`: reactive; the address says it. */
	constructor(
		session: Pick<Session, 'watch'>,
		thread: ThreadOfComparison,
		chosen: () => ChosenPair,
		finder: Pick<DifferenceFinder, 'find' | 'close'> = new DifferenceFinder()
	) {
		this.#thread = thread;
		this.#chosen = chosen;
		this.#finder = finder;
		this.#shape = new LiveValue(session, (database) => readTreeShape(database, thread.threadId));
		this.#bodies = $derived.by(() => {
			const ids = JSON.parse(this.#wanted) as NodeId[];
			return new LiveValue(session, (database) =>
				readBodies(database, thread.threadId, ids).then((bodies) => (this.#bodiesBefore = bodies))
			);
		});
	}

	/** Undefined until the tree was read. */
	get comparison(): Comparison | undefined {
		return this.#comparison;
	}

	get failure() {
		return this.#shape.failure ?? this.#bodies.failure;
	}

	/** What is in view of it. */
	get pairs(): readonly ComparedPair[] {
		return this.#pairs;
	}

	get earlierCount(): number {
		return Math.min(this.#window.from, this.#all.length);
	}

	get laterCount(): number {
		return Math.max(0, this.#all.length - this.#window.to);
	}

	showEarlier(): void {
		const from = Math.max(0, this.#window.from - morePairs);
		this.#window = { from, to: Math.min(this.#window.to, from + maxPairs) };
	}

	showLater(): void {
		const to = Math.min(this.#all.length, this.#window.to + morePairs);
		this.#window = { from: Math.max(this.#window.from, to - maxPairs), to: Math.max(to, firstPairs) };
	}

	/** The last answers alone. */
	get isLastOnly(): boolean {
		return this.#isLastOnly;
	}

	set isLastOnly(isLastOnly: boolean) {
		this.#isLastOnly = isLastOnly;
		this.#window = { from: 0, to: firstPairs };
	}

	/** What is unfolded of the shared beginning: its end. */
	get common(): readonly ComparedItem[] {
		return this.#common;
	}

	get hasMoreCommon(): boolean {
		return this.#commonCount < maxCommon && this.#common.length === this.#commonCount;
	}

	showMoreCommon(): void {
		this.#commonCount = Math.min(maxCommon, this.#commonCount + moreCommon);
	}

	foldCommon(): void {
		this.#commonCount = 0;
	}

	/** A message as the conversation shows it; undefined until it was read. */
	row(item: ComparedItem): ThreadRow | undefined {
		const bodies = this.#bodies.current;
		// What is written is looked at for its own row alone: the others stay as they are while it grows.
		const writing = item.isComing ? { run: this.#run, inflight: this.#thread.view?.inflight, streaming: this.#thread.streaming } : null;
		return comparedRow(item, (id) => bodies?.get(id) ?? this.#bodiesBefore?.get(id), writing);
	}

	/** The message by which the side differs: the first of its own. */
	versionOf(side: SideName): OutlineEntry | undefined {
		return this.#comparison?.[side].own[0];
	}

	entry(id: NodeId | null): OutlineEntry | undefined {
		return id === null ? undefined : this.#outline?.entriesById.get(id);
	}

	/** Where the side can be sent to. */
	ends(side: SideName): BranchEnds {
		if (!this.#outline) return { through: [], others: [], count: 0 };
		return branchEnds(this.#outline, this.versionOf(side)?.node.id ?? null, maxEnds);
	}

	/** Shows the branch of the side at its end. False when it was refused. */
	async goOnWith(side: SideName): Promise<boolean> {
		const compared = this.#comparison?.[side];
		// The mark that an answer will hang under leads to that answer, the question above it perhaps to an older one.
		const nodeId = compared?.isComing ? this.#coming?.parentId : compared?.endId;
		return nodeId != null && (await this.#thread.selectBranch(nodeId));
	}

	/** Null where there is nothing to compare: one side alone, what is no text, an answer that is not complete. */
	differencesOf(pair: ComparedPair): WordDifferences | null {
		if (!pair.a || !pair.b || pair.a.isComing || pair.b.isComing) return null;
		const [a, b] = [this.row(pair.a), this.row(pair.b)];
		if (!a || !b || a.kind === 'other' || b.kind === 'other') return null;
		const key = JSON.stringify([pair.a.key, pair.b.key]);
		const known = this.#differences.get(key);
		if (known?.a === a.text && known.b === b.text) return known.found;
		const found = new WordDifferences(this.#finder, a.text, b.text);
		this.#differences.set(key, { a: a.text, b: b.text, found });
		return found;
	}

	/** Of the pairs in view: the differences that are marked by themselves. */
	get found(): { readonly changes: number; readonly isComplete: boolean } {
		let changes = 0;
		let isComplete = true;
		for (const pair of this.#pairs) {
			const differences = this.differencesOf(pair);
			const result = differences?.current;
			if (differences && !result) isComplete = false;
			if (result?.kind === 'found' && isWorthMarking(result)) changes += result.changes;
		}
		return { changes, isComplete };
	}

	close(): void {
		this.#finder.close();
	}
}
