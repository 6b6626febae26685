// Reads fields of JSON that another tool wrote: every field may be absent or of another type. Runs anywhere.
// Keeps FMT-03 and FMT-04.
import { dropDangerousKeys, isJsonObject, isWithinDepth, type JsonObject, type JsonValue } from '../std/json.ts';
import { err, ok, type Result } from '../std/result.ts';

/** How deep one conversation or one line may nest (threat T12). */
export const maxDepth = 100;

export function stringField(object: JsonObject, key: string): string | null {
	const value = object[key];
	return typeof value === 'string' ? value : null;
}

export function numberField(object: JsonObject, key: string): number | null {
	const value = object[key];
	return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** An empty object when the field is absent or no object. */
export function objectField(object: JsonObject, key: string): JsonObject {
	const value = object[key];
	return isJsonObject(value) ? value : {};
}

/** An empty list when the field is absent or no list. */
export function listField(object: JsonObject, key: string): readonly JsonValue[] {
	const value = object[key];
	return isJsonList(value) ? value : [];
}

export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
	return Array.isArray(value);
}

/** Integer Unix milliseconds within the range of `Date`, else null. */
export function toTimestamp(milliseconds: number | null): number | null {
	if (milliseconds === null || !(Math.abs(milliseconds) <= 8.64e15)) return null;
	return Math.round(milliseconds);
}

/** An ISO date as Unix milliseconds; null when the text is no date. */
export function isoToTimestamp(text: string | null): number | null {
	return text === null ? null : toTimestamp(Date.parse(text));
}

/**
 * The value of a JSON text, without keys that could change a prototype.
 * Codes: `json-invalid`; `json-too-deep` when it nests more than `maxDepth` levels.
 */
export function parseJson(text: string): Result<JsonValue, { code: 'json-invalid' | 'json-too-deep' }> {
	let value: JsonValue;
	try {
		value = JSON.parse(text) as JsonValue;
	} catch {
		return err({ code: 'json-invalid' });
	}
	if (!isWithinDepth(value, maxDepth)) return err({ code: 'json-too-deep' });
	// The reviver recurses and costs half the speed: only for text that holds such a key, now that its depth is known.
	return ok(hasDangerousKey(value) ? JSON.parse(text, dropDangerousKeys) : value);
}

/** True when a key in `value` could change a prototype. Iterative. */
export function hasDangerousKey(value: unknown): boolean {
	const open: unknown[] = [value];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (typeof next !== 'object' || next === null) continue;
		for (const [key, child] of Object.entries(next)) {
			if (dropDangerousKeys(key, true) === undefined) return true;
			if (typeof child === 'object' && child !== null) open.push(child);
		}
	}
	return false;
}
