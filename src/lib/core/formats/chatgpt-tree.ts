// The tree of a ChatGPT conversation, linked from parent pointers alone. Runs anywhere. Keeps FMT-10 to FMT-13.
// Child lists are a hint for the order of siblings and nothing more: exporters leave them out or get them wrong.
import { isJsonObject, type JsonObject } from '../std/json.ts';
import type { Findings } from './findings.ts';
import { listField, stringField } from './foreign-json.ts';

export interface LinkedNode {
	readonly id: string;
	readonly parentId: string | null;
	/** Null for a structural node. */
	readonly message: JsonObject | null;
}

export interface LinkedTree {
	/** Depth first, so a parent stands before its children and the newest branch comes last. */
	readonly nodes: readonly LinkedNode[];
	/** The id of the node that a pointer means; null when it points at nothing. */
	resolve(reference: string): string | null;
}

/** Every node of `mapping` exactly once, whatever its pointers say. Reports `missing-parent` and `parent-cycle`. */
export function linkMapping(mapping: JsonObject, findings: Findings): LinkedTree {
	const rawById = new Map<string, JsonObject>();
	for (const [id, raw] of Object.entries(mapping)) if (isJsonObject(raw)) rawById.set(id, raw);

	const idByAlias = new Map<string, string>();
	for (const [id, raw] of rawById) {
		const message = raw['message'];
		for (const alias of [stringField(raw, 'id'), isJsonObject(message) ? stringField(message, 'id') : null]) {
			if (alias !== null && !rawById.has(alias) && !idByAlias.has(alias)) idByAlias.set(alias, id);
		}
	}
	const resolve = (reference: string) => (rawById.has(reference) ? reference : (idByAlias.get(reference) ?? null));

	const parentById = new Map<string, string | null>();
	for (const [id, raw] of rawById) {
		const reference = stringField(raw, 'parent');
		const parentId = reference === null ? null : resolve(reference);
		if (reference !== null && parentId === null) findings.add('missing-parent', id);
		parentById.set(id, parentId);
	}
	for (const id of findCycleBreaks(parentById)) {
		findings.add('parent-cycle', id);
		parentById.set(id, null);
	}

	const ids = orderDepthFirst(parentById, (id) => listField(rawById.get(id) ?? {}, 'children'));
	return {
		resolve,
		nodes: ids.map((id) => {
			const message = rawById.get(id)?.['message'];
			return { id, parentId: parentById.get(id) ?? null, message: isJsonObject(message) ? message : null };
		})
	};
}

/** One node of every cycle, the first in the order of the map: cutting its parent pointer makes the map a forest. */
function findCycleBreaks(parentById: ReadonlyMap<string, string | null>): readonly string[] {
	const rank = new Map([...parentById.keys()].map((id, index) => [id, index]));
	const rankOf = (id: string) => rank.get(id) ?? 0;
	const walkOf = new Map<string, string>();
	const breaks: string[] = [];
	for (const start of parentById.keys()) {
		let id: string | null = start;
		while (id !== null && !walkOf.has(id)) {
			walkOf.set(id, start);
			id = parentById.get(id) ?? null;
		}
		if (id === null || walkOf.get(id) !== start) continue;
		let first = id;
		for (let member = parentById.get(id) ?? null; member !== null && member !== id; member = parentById.get(member) ?? null) {
			if (rankOf(member) < rankOf(first)) first = member;
		}
		breaks.push(first);
	}
	return breaks;
}

function orderDepthFirst(
	parentById: ReadonlyMap<string, string | null>,
	listedChildren: (id: string) => readonly unknown[]
): readonly string[] {
	const childrenById = new Map<string | null, string[]>();
	for (const [id, parentId] of parentById) {
		const siblings = childrenById.get(parentId);
		if (siblings === undefined) childrenById.set(parentId, [id]);
		else siblings.push(id);
	}
	for (const [parentId, siblings] of childrenById) {
		if (parentId === null || siblings.length < 2) continue;
		const listed = listedChildren(parentId);
		const place = new Map(listed.map((id, index) => [id, index]));
		siblings.sort((left, right) => (place.get(left) ?? listed.length) - (place.get(right) ?? listed.length));
	}
	const ordered: string[] = [];
	const open = [...(childrenById.get(null) ?? [])].reverse();
	for (let id = open.pop(); id !== undefined; id = open.pop()) {
		ordered.push(id);
		const children = childrenById.get(id) ?? [];
		for (let index = children.length - 1; index >= 0; index--) open.push(children[index] ?? '');
	}
	return ordered;
}
