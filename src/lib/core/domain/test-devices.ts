// Several devices that write into one conversation, mostly without hearing of each other, and what each of them has at the end;
// for the simulations. Places and stamps come from the product's own functions, with what that device knew at that moment.
import type { DeviceId, NodeId, Stamp, ThreadId } from './ids.ts';
import { isVisible, type NodeContent, type TreeNode } from './nodes.ts';
import { placeUnder } from './place.ts';
import { nextStamp } from './stamp.ts';

type Random = () => number;

/** What a device was told last about a node's tombstone; the later stamp wins. */
interface Deletion {
	readonly isDeleted: boolean;
	readonly ord: Stamp;
}

interface Device {
	readonly id: DeviceId;
	/** Wrong clocks are part of the lives. */
	readonly clockSkewMs: number;
	readonly nodesById: Map<NodeId, TreeNode>;
	/** Nodes that this device knows a child of. */
	readonly parents: Set<NodeId>;
	readonly deletionsById: Map<NodeId, Deletion>;
	lastStamp: Stamp | null;
	lastSeq: number;
	leafId: NodeId | null;
}

export interface SimulatedThread {
	readonly nodes: readonly TreeNode[];
	readonly leafId: NodeId | null;
	readonly lastSeq: number;
	/** Nodes that say they go on with the segment of a parent that another child went on with too. */
	readonly conflicts: number;
}

const startMs = 1_700_000_000_000;
const say = (text: string): NodeContent => ({ type: 'user_message', payload: { content: [{ type: 'text', text }] } });
const answer = (text: string): NodeContent => ({
	type: 'assistant_message',
	payload: { content: [{ type: 'text', text }], model: 'm', connectionId: 'c', status: 'complete' }
});
const turnMark = (turnId: string): NodeContent => ({
	type: 'turn_context',
	payload: { turnId, connectionId: 'c', model: 'm', permissionPolicy: 'inherit', activeSkills: [] }
});

/** The life of the thread `threadId` on two to four devices, as the one of them has it that was picked at the end. */
export function simulateThread(threadId: ThreadId, random: Random): SimulatedThread {
	const whole = (below: number) => Math.floor(random() * below);
	const pick = <T>(from: readonly T[]): T | undefined => from[whole(from.length)];
	let nowMs = startMs;
	let made = 0;
	/** A place stays as its author wrote it, or is worked out anew where it arrives: both may happen to a hint. */
	const arePlacesKept = random() < 0.8;
	const devices = Array.from({ length: 2 + whole(3) }, (_, index): Device => ({
		id: (index + 1).toString(16).padStart(16, '0'),
		clockSkewMs: whole(600_000) - 300_000,
		nodesById: new Map(),
		parents: new Set(),
		deletionsById: new Map(),
		lastStamp: null,
		lastSeq: 0,
		leafId: null
	}));

	function stamp(device: Device, ...dependencies: (Stamp | undefined)[]): Stamp {
		nowMs += whole(5);
		device.lastStamp = nextStamp(device.id, nowMs + device.clockSkewMs, device.lastStamp, dependencies);
		return device.lastStamp;
	}

	function keep(device: Device, node: TreeNode): void {
		device.nodesById.set(node.id, { ...node, seq: ++device.lastSeq });
		if (node.parentId !== null) device.parents.add(node.parentId);
	}

	function append(device: Device, parentId: NodeId | null, content: NodeContent): NodeId {
		const parent = parentId === null ? null : (device.nodesById.get(parentId) ?? null);
		const id = `${threadId}-${String(made++).padStart(5, '0')}`;
		const place = placeUnder(id, parent, parent !== null && device.parents.has(parent.id));
		keep(device, { id, threadId, parentId: parent?.id ?? null, seq: 0, ts: nowMs, ord: stamp(device, parent?.ord), ...place, ...content });
		return id;
	}

	function appendTurns(device: Device, parentId: NodeId | null, turns: number): void {
		let at = parentId;
		for (let turn = 0; turn < turns; turn++) {
			if (random() < 0.7) at = append(device, at, turnMark(`turn ${made}`));
			at = append(device, at, say(`question ${made}`));
			// Some answers never come.
			if (random() < 0.9) at = append(device, at, answer(`answer ${made}`));
		}
		device.leafId = at;
	}

	function setDeleted(device: Device, id: NodeId, isDeleted: boolean): void {
		const node = device.nodesById.get(id);
		if (!node) return;
		hear(device, id, { isDeleted, ord: stamp(device, node.ord, device.deletionsById.get(id)?.ord) });
		if (isDeleted && device.leafId === id) device.leafId = node.parentId;
	}

	function hear(device: Device, id: NodeId, deletion: Deletion): void {
		const known = device.deletionsById.get(id);
		const node = device.nodesById.get(id);
		if (!node || (known && known.ord >= deletion.ord)) return;
		device.deletionsById.set(id, deletion);
		const { deleted: _deleted, deletedOrd: _deletedOrd, ...living } = node;
		device.nodesById.set(id, deletion.isDeleted ? { ...living, deleted: true, deletedOrd: deletion.ord } : living);
	}

	/** Everything that `from` has, or an early part of it: by stamp, so that a parent is there before its children. */
	function pull(device: Device, from: Device): void {
		const log = [...from.nodesById.values()].sort((a, b) => (a.ord < b.ord ? -1 : 1));
		const heard = random() < 0.7 ? log : log.slice(0, whole(log.length + 1));
		for (const node of heard) {
			if (!device.nodesById.has(node.id)) {
				const parent = node.parentId === null ? null : (device.nodesById.get(node.parentId) ?? null);
				const { deleted: _deleted, deletedOrd: _deletedOrd, forkSegmentId: _forkSegmentId, ...rest } = node;
				const place = placeUnder(node.id, parent, parent !== null && device.parents.has(parent.id));
				const { forkSegmentId } = node;
				keep(device, arePlacesKept ? { ...rest, ...(forkSegmentId === undefined ? {} : { forkSegmentId }) } : { ...rest, ...place });
				if (device.lastStamp === null || node.ord > device.lastStamp)
					device.lastStamp = nextStamp(device.id, 0, device.lastStamp, [node.ord]);
			}
			const deletion = from.deletionsById.get(node.id);
			if (deletion) hear(device, node.id, deletion);
		}
	}

	function act(device: Device): void {
		const nodes = [...device.nodesById.values()];
		const node = pick(nodes);
		const chance = random();
		if (!node || chance < 0.34) appendTurns(device, device.leafId, 1 + whole(3));
		// A file that was brought in, or a copied branch: many nodes at one place.
		else if (chance < 0.4) appendTurns(device, random() < 0.2 ? null : node.id, 10 + whole(25));
		// Another version of a message, under the same parent.
		else if (chance < 0.55) appendTurns(device, node.parentId, 1);
		else if (chance < 0.62) append(device, node.id, { type: 'label', payload: { targetId: node.id, label: 'name' } });
		else if (chance < 0.78) setDeleted(device, node.id, random() < 0.75);
		else device.leafId = pick(nodes.filter((each) => isVisible(each)))?.id ?? device.leafId;
	}

	appendTurns(devices[0]!, null, 1 + whole(20));
	const rounds = 2 + whole(4);
	for (let round = 0; round < rounds; round++) {
		for (const device of shuffled(devices, whole)) for (const from of shuffled(devices, whole)) if (from !== device) pull(device, from);
		// All go on from the same leaf, as people do who put one device down and take up the other.
		const common = devices[0]!.leafId;
		if (random() < 0.7)
			for (const device of devices) if (common !== null && device.nodesById.has(common)) appendTurns(device, common, whole(3));
		for (const device of shuffled(devices, whole)) for (let step = 1 + whole(5); step > 0; step--) act(device);
	}
	const last = pick(devices)!;
	for (const from of shuffled(devices, whole)) if (from !== last) pull(last, from);
	const nodes = [...last.nodesById.values()];
	const leaf = last.leafId === null ? undefined : last.nodesById.get(last.leafId);
	return { nodes, leafId: leaf && leaf.deleted !== true ? leaf.id : null, lastSeq: last.lastSeq, conflicts: conflictsIn(nodes) };
}

function shuffled<T>(from: readonly T[], whole: (below: number) => number): T[] {
	const rest = [...from];
	return from.flatMap(() => rest.splice(whole(rest.length), 1));
}

function conflictsIn(nodes: readonly TreeNode[]): number {
	const wentOn = new Set<NodeId>();
	let conflicts = 0;
	for (const node of nodes) {
		if (node.parentId === null || node.segmentId === node.id) continue;
		if (wentOn.has(node.parentId)) conflicts++;
		wentOn.add(node.parentId);
	}
	return conflicts;
}
