// JSON as a type, and the limits that keep foreign JSON from wedging the structured clone. Runs anywhere.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };
export type JsonObject = { readonly [key: string]: JsonValue };

/** Keys that change a prototype when an object literal or a merge meets them; foreign JSON loses them (threat T14). */
const dangerousKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** For `JSON.parse`: drops keys that could change a prototype. */
export function dropDangerousKeys(key: string, value: unknown): unknown {
	return dangerousKeys.has(key) ? undefined : value;
}

export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * True when `value` nests at most `limit` levels of arrays and objects. Iterative: structuredClone and IndexedDB throw
 * from a depth of about 5,000, so foreign JSON is measured before it is stored (threat T12).
 */
export function isWithinDepth(value: unknown, limit: number): boolean {
	const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (typeof next.value !== 'object' || next.value === null) continue;
		if (next.depth > limit) return false;
		for (const child of Object.values(next.value)) open.push({ value: child, depth: next.depth + 1 });
	}
	return true;
}
