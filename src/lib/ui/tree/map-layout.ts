// Where everything on the drawn map lies. A small tree is drawn as one draws a tree (d3's tidy tree, Buchheim et al. 2002), a
// dot a message. A large one would drift off to one side that way: it stands in lanes, the biggest branch straight down and the
// others beside it, a straight run of messages as one bar. Pure and iterative. SPEC.md OUTL-06.
import { hierarchy, tree } from 'd3-hierarchy';
import type { NodeId } from '#lib/core/domain/ids.ts';
import type { Outline, OutlineEntry } from '#lib/core/domain/outline.ts';

export interface MapThing {
	/** The message; of a run, its last one. */
	readonly entry: OutlineEntry;
	/** Messages that it stands for. */
	readonly count: number;
	readonly x: number;
	readonly y: number;
	/** What it hangs under; null at the top. */
	readonly parent: MapThing | null;
}

export interface TreeMap {
	/** Parents before their children. */
	readonly things: readonly MapThing[];
	/** The thing that a message is, or is part of. */
	readonly thingOf: (id: NodeId) => MapThing | undefined;
	readonly left: number;
	readonly top: number;
	readonly width: number;
	readonly height: number;
}

/** Trees of more messages are drawn with runs. */
const dotsUpTo = 400;
/** Messages between two that are drawn become a run from this many on. */
const runFrom = 2;
/** Distance between neighbours, in CSS pixels at zoom 1. */
export const mapStep = { x: 26, y: 34 } as const;

/** What becomes one thing on the map. */
interface Group {
	readonly entries: readonly OutlineEntry[];
	readonly parent: Group | null;
	readonly children: Group[];
}

export function layoutMap(outline: Outline): TreeMap {
	const { roots, groups, groupsById } = groupsOf(outline);
	const places = outline.entries.length <= dotsUpTo ? tidyPlaces(roots) : lanePlaces(roots, groups);
	const things = new Map<Group, MapThing>();
	let [left, right, bottom] = [0, 0, 0];
	for (const group of groups) {
		const entry = group.entries.at(-1);
		const place = places.get(group);
		if (!entry || !place) continue;
		const [x, y] = [place.x * mapStep.x, place.y * mapStep.y];
		const parent = group.parent ? (things.get(group.parent) ?? null) : null;
		things.set(group, { entry, count: group.entries.length, x, y, parent });
		[left, right, bottom] = [Math.min(left, x), Math.max(right, x), Math.max(bottom, y)];
	}
	return {
		things: [...things.values()],
		thingOf: (id) => {
			const group = groupsById.get(id);
			return group && things.get(group);
		},
		left,
		top: 0,
		width: right - left,
		height: bottom
	};
}

/** In steps to the side and down. */
type Places = ReadonlyMap<Group, { readonly x: number; readonly y: number }>;

function tidyPlaces(roots: readonly Group[]): Places {
	const laidOut = tree<{ readonly children: readonly Group[] }>()
		.nodeSize([1, 1])
		.separation((a, b) => (a.parent === b.parent ? 1 : 1.25))(hierarchy<{ readonly children: readonly Group[] }>({ children: roots }));
	return new Map(laidOut.descendants().map(({ data, x, y }) => [data as Group, { x, y: y - 1 }]));
}

function lanePlaces(roots: readonly Group[], groups: readonly Group[]): Places {
	const sizes = new Map<Group, number>();
	for (const group of [...groups].reverse()) {
		sizes.set(
			group,
			group.children.reduce((sum, child) => sum + (sizes.get(child) ?? 0), group.entries.length)
		);
	}
	/** Of equals the newest goes straight on, as in the outline. */
	const straightOf = (ways: readonly Group[]) =>
		ways.reduce<Group | undefined>((best, way) => ((sizes.get(way) ?? 0) >= (best ? (sizes.get(best) ?? 0) : 0) ? way : best), undefined);
	const places = new Map<Group, { x: number; y: number }>();
	/** For each lane the rows that are taken. */
	const taken: Set<number>[] = [];
	const main = straightOf(roots);
	const open: { readonly head: Group; readonly fromLane: number; readonly row: number }[] = [
		...(main ? [{ head: main, fromLane: -1, row: 0 }] : []),
		...roots.filter((root) => root !== main).map((head) => ({ head, fromLane: 0, row: 0 }))
	].reverse();
	for (let next = open.pop(); next; next = open.pop()) {
		const { head, fromLane, row } = next;
		const line: Group[] = [];
		for (let at: Group | undefined = head; at; at = straightOf(at.children)) line.push(at);
		let lane = fromLane + 1;
		while (line.some((_, index) => taken[lane]?.has(row + index))) lane += 1;
		for (let missing = taken.length; missing <= lane; missing++) taken.push(new Set());
		for (const [index, group] of line.entries()) {
			places.set(group, { x: lane, y: row + index });
			taken[lane]?.add(row + index);
			// The lowest comes off the stack first and lies nearest, so that those above pass around it.
			const straight = line[index + 1];
			for (const child of group.children) if (child !== straight) open.push({ head: child, fromLane: lane, row: row + index + 1 });
		}
	}
	return places;
}

/** Messages that are drawn by themselves in any case: ends, forks, beginnings of branches, what is labelled, summaries, the cursor. */
function isLandmark(entry: OutlineEntry, outline: Outline): boolean {
	const parent = entry.parentId === null ? undefined : outline.entriesById.get(entry.parentId);
	return (
		entry.childIds.length !== 1 ||
		!parent ||
		parent.childIds.length > 1 ||
		entry.label !== null ||
		entry.node.type === 'branch_summary' ||
		entry.node.type === 'compaction' ||
		entry.node.id === outline.cursorId
	);
}

function groupsOf(outline: Outline) {
	const groupsById = new Map<NodeId, Group>();
	/** Parents before their children. */
	const groups: Group[] = [];
	const roots: Group[] = [];
	const isSmall = outline.entries.length <= dotsUpTo;
	let at = 0;
	while (at < outline.entries.length) {
		const entry = outline.entries[at];
		if (!entry) break;
		const run: OutlineEntry[] = [entry];
		// Depth first: what follows a message that has one way on stands right behind it.
		if (!isSmall && !isLandmark(entry, outline)) {
			for (let next = outline.entries[at + 1]; next && !isLandmark(next, outline); next = outline.entries[at + run.length]) run.push(next);
		}
		for (const entries of run.length >= runFrom ? [run] : run.map((each) => [each])) {
			const parentId = entries[0]?.parentId ?? null;
			const parent = parentId === null ? null : (groupsById.get(parentId) ?? null);
			const group: Group = { entries, parent, children: [] };
			groups.push(group);
			if (parent) parent.children.push(group);
			else roots.push(group);
			for (const each of entries) groupsById.set(each.node.id, group);
		}
		at += run.length;
	}
	return { roots, groups, groupsById };
}

/** The thing nearest to a point of the map, within `reach`; undefined when there is none. */
export function thingAt(map: TreeMap, x: number, y: number, reach: number): MapThing | undefined {
	let nearest: MapThing | undefined;
	let least = reach;
	for (const thing of map.things) {
		const distance = Math.hypot(thing.x - x, thing.y - y);
		if (distance > least) continue;
		least = distance;
		nearest = thing;
	}
	return nearest;
}

/** The way from a thing up to what it hangs under, as a path of SVG and of a canvas. */
export function linkPath({ x, y, parent }: MapThing): string {
	if (!parent) return '';
	if (parent.x === x) return `M${x} ${parent.y}V${y}`;
	const middle = parent.y + (y - parent.y) * 0.55;
	return `M${parent.x} ${parent.y}C${parent.x} ${middle} ${x} ${middle} ${x} ${y}`;
}

const size = 6;

/** The outline of a thing's shape. A square asks, a circle answers, a diamond is something else, a bar is a run. */
export function shapePath({ x, y, count }: MapThing, role: 'question' | 'answer' | 'other' | 'unknown'): string {
	if (count > 1) return `M${x - 4} ${y - 11}h8a3 3 0 0 1 3 3v16a3 3 0 0 1 -3 3h-8a3 3 0 0 1 -3 -3v-16a3 3 0 0 1 3 -3z`;
	switch (role) {
		case 'question':
			return `M${x - size + 0.5} ${y - size + 0.5}h${2 * size - 1}v${2 * size - 1}h${1 - 2 * size}z`;
		case 'answer':
			return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`;
		case 'other':
			return `M${x} ${y - size - 1}l${size + 1} ${size + 1}l${-size - 1} ${size + 1}l${-size - 1} ${-size - 1}z`;
		case 'unknown':
			return `M${x} ${y - size - 1}l${size} ${2 * size}h${-2 * size}z`;
	}
}
