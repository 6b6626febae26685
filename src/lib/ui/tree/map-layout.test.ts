import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineNodeOf } from '#lib/core/domain/outline-node.ts';
import { outlineOf, type OutlineNode } from '#lib/core/domain/outline.ts';
import { randomTree } from '#lib/core/domain/test-trees.ts';
import { layoutMap, linkPath, mapStep, shapePath, thingAt, type TreeMap } from './map-layout.ts';

const message = (id: number, parent: number | null): OutlineNode => ({
	id: `m${id}`,
	parentId: parent === null ? null : `m${parent}`,
	seq: id,
	type: id % 2 === 0 ? 'user_message' : 'assistant_message',
	ts: id,
	line: `line ${id}`,
	name: ''
});
/** A trunk with a branch of one to four messages at every eighth one. */
function long(count: number): OutlineNode[] {
	const nodes = Array.from({ length: count }, (_, id) => message(id, id === 0 ? null : id - 1));
	for (let fork = 7; fork < count; fork += 8) {
		let parent = fork;
		for (let step = 0; step <= (fork >> 3) % 4; step++) {
			nodes.push(message(nodes.length, parent));
			parent = nodes.length - 1;
		}
	}
	return nodes;
}

function checked(map: TreeMap): TreeMap {
	const places = new Set<string>();
	for (const thing of map.things) {
		const place = `${Math.round(thing.x / (mapStep.x / 2))} ${Math.round(thing.y / mapStep.y)}`;
		expect(places.has(place), `two things at ${place}`).toBe(false);
		places.add(place);
		if (thing.parent) expect(thing.y).toBeGreaterThan(thing.parent.y);
		expect(thing.x).toBeGreaterThanOrEqual(map.left);
		expect(thing.x).toBeLessThanOrEqual(map.left + map.width);
		expect(thing.y).toBeLessThanOrEqual(map.top + map.height);
	}
	return map;
}

describe('the map', () => {
	it('OUTL-06: each message once, nothing on top of anything, below what it follows', () => {
		fc.assert(
			fc.property(randomTree, (nodes) => {
				const outline = outlineOf(nodes.map(outlineNodeOf), null);
				const map = checked(layoutMap(outline));
				expect(map.things.map((thing) => thing.entry.node.id).sort()).toEqual(outline.entries.map((entry) => entry.node.id).sort());
				for (const thing of map.things) expect(thing.parent?.entry.node.id ?? null).toBe(thing.entry.parentId);
			})
		);
	});

	it('OUTL-06: a large tree in lanes, runs as bars, landmarks alone', () => {
		const nodes = long(2_000);
		const label: OutlineNode = { ...message(nodes.length, 100), type: 'label', naming: { targetId: 'm100', label: 'here' } };
		const outline = outlineOf([...nodes, label], 'm1234');
		const map = checked(layoutMap(outline));
		expect(map.things.reduce((sum, thing) => sum + thing.count, 0)).toBe(outline.entries.length);
		expect(map.things.length).toBeLessThan(outline.entries.length * 0.75);
		for (const id of ['m0', 'm7', 'm100', 'm1234', 'm1991']) expect(map.thingOf(id)).toMatchObject({ count: 1, entry: { node: { id } } });
		// The trunk stands straight, and the branches near it.
		expect([map.thingOf('m3')?.x, map.thingOf('m1991')?.x, map.left]).toEqual([0, 0, 0]);
		expect(map.width).toBeLessThan(6 * mapStep.x);
	});

	it('OUTL-06: ten thousand in a chain and ten thousand versions', () => {
		const chain = outlineOf(
			Array.from({ length: 10_000 }, (_, id) => message(id, id === 0 ? null : id - 1)),
			'm9999'
		);
		expect(layoutMap(chain).things.map((thing) => thing.count)).toEqual([1, 9_998, 1]);
		const flat = outlineOf(
			Array.from({ length: 10_000 }, (_, id) => message(id, id === 0 ? null : 0)),
			null
		);
		expect(layoutMap(flat).things.length).toBe(10_000);
	});

	it('OUTL-07: a tap finds the nearest thing, and nothing far from all', () => {
		const map = layoutMap(outlineOf([message(0, null), message(1, 0), message(2, 0)], null));
		const thing = map.thingOf('m2');
		expect(thingAt(map, (thing?.x ?? 0) + 6, (thing?.y ?? 0) - 5, 16)).toBe(thing);
		expect(thingAt(map, 500, 500, 16)).toBeUndefined();
		expect(map.things.map(linkPath).filter((path) => path !== '').length).toBe(2);
		const shapes = (['question', 'answer', 'other', 'unknown'] as const).map((role) => shapePath({ ...map.things[0]!, count: 1 }, role));
		expect(new Set(shapes).size).toBe(4);
	});
});
