// Two branches of a thread beside each other: what both share, what each has of its own, and which message stands beside which.
// Pure, iterative, bounded by the number of nodes; damage is the outline's to mend, and is said. SPEC.md TREE-50 to TREE-55.
import type { NodeId } from './ids.ts';
import { isVisible } from './nodes.ts';
import type { Outline, OutlineEntry, OutlineNode } from './outline.ts';
import { deepestDescendant, logicalParent, pathTo, type ForkChoices, type Tree } from './tree.ts';

/** A message as it stands in a column. */
export interface ComparedItem {
	readonly kind: 'question' | 'answer' | 'other';
	/** Its first node; of a coming answer, the one that it will be. */
	readonly key: NodeId;
	/** Its nodes: several for a continued answer, none for one that is coming. */
	readonly ids: readonly NodeId[];
	/** More of it is being written. */
	readonly isComing: boolean;
}

/** What stands side by side; null where the other branch has nothing to set against it. Never null on both sides. */
export interface ComparedPair {
	readonly a: ComparedItem | null;
	readonly b: ComparedItem | null;
}

/** One of the two branches. */
export interface ComparedSide {
	/** `missing`: the chosen message is not in this thread. `deleted`: nothing is left of it and of what followed it. */
	readonly state: 'there' | 'missing' | 'deleted';
	/** The message that the branch ends at; null when it has none. */
	readonly endId: NodeId | null;
	/** The chosen message was deleted, and what followed it is shown. */
	readonly isChosenDeleted: boolean;
	/** What comes after the shared beginning. */
	readonly own: readonly OutlineEntry[];
	/** Deleted messages among its own. */
	readonly deletedCount: number;
	/** An answer is being written at its end. */
	readonly isComing: boolean;
}

/**
 * How the two lie to each other. `fork`: each has messages of its own. `same`: neither has. `a-leads-to-b`: all of A is the
 * beginning of B. `apart`: one of them is cut off from the beginning. `incomplete`: a side is not there.
 */
export type Relation = 'fork' | 'same' | 'a-leads-to-b' | 'b-leads-to-a' | 'apart' | 'incomplete';

export interface Comparison {
	readonly relation: Relation;
	/** What both begin with, nearer the root first. */
	readonly common: readonly OutlineEntry[];
	readonly a: ComparedSide;
	readonly b: ComparedSide;
	/** From the fork on. */
	readonly pairs: readonly ComparedPair[];
}

/** An answer that is being written. */
export interface ComingAnswer {
	/** The id that it will have. */
	readonly answerId: NodeId;
	/** What it will hang under: a question, or a mark under one. */
	readonly parentId: NodeId;
	/** The cut answer that it goes on with; null for a new one. */
	readonly continuesId: NodeId | null;
}

export interface ComparisonSource {
	readonly tree: Tree<OutlineNode>;
	/** Of the same nodes. */
	readonly outline: Outline;
	readonly choices: ForkChoices;
	readonly coming: ComingAnswer | null;
}

/** Compares the branches that two chosen messages stand for. */
export function compareBranches(source: ComparisonSource, aId: NodeId, bId: NodeId): Comparison {
	const [a, b] = [endOf(source, aId), endOf(source, bId)];
	// A chosen message above the other one stands for itself: led down, it could become the other branch.
	const pathA = pathOf(source.outline, isAbove(source, a, b) ? a.at : a.endId);
	const pathB = pathOf(source.outline, isAbove(source, b, a) ? b.at : b.endId);
	let shared = 0;
	while (shared < pathA.length && pathA[shared] === pathB[shared]) shared += 1;
	const comingAt = source.coming && anchorOf(source.tree, source.coming.parentId);
	const sideOf = (end: End, path: readonly OutlineEntry[]): ComparedSide => {
		const endId = path.at(-1)?.node.id ?? null;
		const isThere = end.state === 'there';
		const own = isThere ? path.slice(shared) : [];
		const isCut = endId !== end.endId && !end.isComing;
		return {
			state: end.state,
			endId: isThere ? endId : null,
			isChosenDeleted: end.isDeleted,
			own,
			deletedCount: isThere ? deletedBetween(source.tree, endId, path[shared - 1]?.node.id ?? null) : 0,
			isComing: isThere && source.coming !== null && endId === comingAt && !isCut
		};
	};
	const [sideA, sideB] = [sideOf(a, pathA), sideOf(b, pathB)];
	const relation = relationOf(sideA, sideB, pathA[0], pathB[0]);
	return {
		relation,
		common: relation === 'incomplete' ? [] : pathA.slice(0, shared),
		a: sideA,
		b: sideB,
		pairs: relation === 'same' ? [] : pairsOf(itemsOf(sideA, source.coming), itemsOf(sideB, source.coming))
	};
}

interface End {
	readonly state: ComparedSide['state'];
	/** The chosen message itself, where it can be seen; else where it leads to. */
	readonly at: NodeId | null;
	readonly endId: NodeId | null;
	readonly isDeleted: boolean;
	/** It was chosen by the answer that is being written under it. */
	readonly isComing: boolean;
}

function endOf({ tree, choices, coming }: ComparisonSource, chosenId: NodeId): End {
	const isComing = coming !== null && coming.answerId === chosenId && !tree.nodesById.has(chosenId);
	const id = isComing ? coming.parentId : chosenId;
	const node = tree.nodesById.get(id);
	const gone = { at: null, endId: null, isDeleted: false, isComing: false };
	if (!node) return { ...gone, state: 'missing' };
	const endId = deepestDescendant(tree, id, choices);
	const end = tree.nodesById.get(endId);
	if (end && isVisible(end)) {
		return { state: 'there', at: isVisible(node) ? id : endId, endId, isDeleted: node.deleted === true, isComing };
	}
	if (node.deleted) return { ...gone, state: 'deleted' };
	// A mark with nothing under it stands for the message that it hangs at.
	const anchorId = anchorOf(tree, id);
	return { state: 'there', at: anchorId, endId: anchorId, isDeleted: false, isComing };
}

/** The message that something hung at `id` follows; null at the beginning. */
function anchorOf(tree: Tree<OutlineNode>, id: NodeId): NodeId | null {
	const node = tree.nodesById.get(id);
	return node && isVisible(node) ? id : (logicalParent(tree, id)?.id ?? null);
}

/** Root first. The outline's parents lead up from every message, and never in a circle. */
function pathOf(outline: Outline, endId: NodeId | null): OutlineEntry[] {
	const path: OutlineEntry[] = [];
	for (let id = endId; id !== null;) {
		const entry = outline.entriesById.get(id);
		if (!entry) break;
		path.push(entry);
		id = entry.parentId;
	}
	return path.reverse();
}

/** Whether `upper` was chosen on the way to what `lower` was chosen by. */
function isAbove({ outline }: ComparisonSource, upper: End, lower: End): boolean {
	if (upper.at === null || lower.at === null || upper.at === lower.at) return false;
	return pathOf(outline, lower.at).some((entry) => entry.node.id === upper.at);
}

/** Deleted messages from `endId` up to, and without, `topId`. */
function deletedBetween(tree: Tree<OutlineNode>, endId: NodeId | null, topId: NodeId | null): number {
	const path = pathTo(tree, endId);
	const from = topId === null ? -1 : path.findIndex((node) => node.id === topId);
	return path.slice(from + 1).filter((node) => node.deleted === true && isVisible({ type: node.type })).length;
}

function relationOf(a: ComparedSide, b: ComparedSide, firstA: OutlineEntry | undefined, firstB: OutlineEntry | undefined): Relation {
	if (a.state !== 'there' || b.state !== 'there') return 'incomplete';
	if (a.own.length === 0 && b.own.length === 0 && a.isComing === b.isComing) return 'same';
	const [hasA, hasB] = [a, b].map((side) => side.own.length > 0 || side.isComing);
	if (!hasA) return 'a-leads-to-b';
	if (!hasB) return 'b-leads-to-a';
	const isCut = firstA?.cut != null || firstB?.cut != null;
	return isCut && firstA !== firstB ? 'apart' : 'fork';
}

/** The messages of a stretch of a branch; a continued answer is one. */
export function comparedItems(entries: readonly OutlineEntry[]): ComparedItem[] {
	const items: ComparedItem[] = [];
	for (const { node } of entries) {
		const last = items.at(-1);
		if (last?.kind === 'answer' && node.continues !== undefined && node.continues === last.ids.at(-1)) {
			items[items.length - 1] = { ...last, ids: [...last.ids, node.id] };
		} else items.push({ kind: kindOf(node), key: node.id, ids: [node.id], isComing: false });
	}
	return items;
}

function itemsOf(side: ComparedSide, coming: ComingAnswer | null): ComparedItem[] {
	const items = comparedItems(side.own);
	if (!side.isComing || coming === null) return items;
	const last = items.at(-1);
	if (last && coming.continuesId !== null && last.ids.at(-1) === coming.continuesId) items[items.length - 1] = { ...last, isComing: true };
	else items.push({ kind: 'answer', key: coming.answerId, ids: [], isComing: true });
	return items;
}

function kindOf(node: OutlineNode): ComparedItem['kind'] {
	return node.type === 'user_message' ? 'question' : node.type === 'assistant_message' ? 'answer' : 'other';
}

/** A question and all up to the next one; only a first turn may be without a question. */
interface Turn {
	readonly question: ComparedItem | null;
	readonly rest: ComparedItem[];
}

function turnsOf(items: readonly ComparedItem[]): Turn[] {
	const turns: Turn[] = [];
	for (const item of items) {
		const last = turns.at(-1);
		if (item.kind === 'question') turns.push({ question: item, rest: [] });
		else if (last) last.rest.push(item);
		else turns.push({ question: null, rest: [item] });
	}
	return turns;
}

/** Sets two stretches against each other, turn by turn. */
export function pairsOf(a: readonly ComparedItem[], b: readonly ComparedItem[]): ComparedPair[] {
	const [turnsA, turnsB] = [turnsOf(a), turnsOf(b)];
	// Where only one branch begins with an answer and asks later, the other's first question belongs beside that later one.
	const [isLateA, isLateB] = [turnsA, turnsB].map((turns) => turns[0]?.question === null && turns.length > 1);
	const [isEarlyA, isEarlyB] = [turnsA, turnsB].map((turns) => turns[0] !== undefined && turns[0].question !== null);
	if (isLateA && isEarlyB) turnsB.unshift({ question: null, rest: [] });
	if (isLateB && isEarlyA) turnsA.unshift({ question: null, rest: [] });
	const pairs: ComparedPair[] = [];
	for (let at = 0; at < Math.max(turnsA.length, turnsB.length); at++) {
		const [turnA, turnB] = [turnsA[at], turnsB[at]];
		addPair(pairs, turnA?.question, turnB?.question);
		const [stepsA, stepsB] = [stepsOf(turnA?.rest ?? []), stepsOf(turnB?.rest ?? [])];
		for (let step = 0; step < Math.max(stepsA.length, stepsB.length); step++) {
			const [stepA, stepB] = [stepsA[step], stepsB[step]];
			const others = Math.max(stepA?.others.length ?? 0, stepB?.others.length ?? 0);
			for (let index = 0; index < others; index++) addPair(pairs, stepA?.others[index], stepB?.others[index]);
			addPair(pairs, stepA?.answer, stepB?.answer);
		}
	}
	return pairs;
}

/** What comes before an answer, and the answer; the last one may be without. */
interface Step {
	readonly others: ComparedItem[];
	answer: ComparedItem | null;
}

function stepsOf(rest: readonly ComparedItem[]): Step[] {
	const steps: Step[] = [];
	for (const item of rest) {
		let last = steps.at(-1);
		if (!last || last.answer !== null) steps.push((last = { others: [], answer: null }));
		if (item.kind === 'answer') last.answer = item;
		else last.others.push(item);
	}
	return steps;
}

function addPair(pairs: ComparedPair[], a: ComparedItem | null | undefined, b: ComparedItem | null | undefined): void {
	if (a || b) pairs.push({ a: a ?? null, b: b ?? null });
}

/** The last answers of both branches, beside each other; empty when neither has one. */
export function lastAnswers(pairs: readonly ComparedPair[]): ComparedPair[] {
	const found: ComparedPair[] = [];
	const last = (side: 'a' | 'b') => pairs.findLast((pair) => pair[side]?.kind === 'answer')?.[side];
	addPair(found, last('a'), last('b'));
	return found;
}

export interface BranchEnds {
	/** Those through the version first; in the order of the outline. */
	readonly through: readonly OutlineEntry[];
	readonly others: readonly OutlineEntry[];
	/** Of all branches, listed or not. */
	readonly count: number;
}

/** Where the branches of a thread end. `versionId`: the message whose branches come first. */
export function branchEnds({ entries, entriesById }: Outline, versionId: NodeId | null, limit: number): BranchEnds {
	const version = versionId === null ? undefined : entriesById.get(versionId);
	const from = version ? entries.indexOf(version) : 0;
	const to = version ? from + version.size : 0;
	const ends = entries.flatMap((entry, index) => (entry.childIds.length === 0 ? [{ entry, isThrough: index >= from && index < to }] : []));
	const through = ends.filter((end) => end.isThrough).slice(0, limit);
	const others = ends.filter((end) => !end.isThrough).slice(0, limit - through.length);
	return { through: through.map((end) => end.entry), others: others.map((end) => end.entry), count: ends.length };
}
