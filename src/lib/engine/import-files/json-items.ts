// Cuts a JSON text that comes in pieces into items, without ever holding the whole of it. Keeps FMT-50 to FMT-52.
// The items are those of the root array, or of the list `conversations` of a root object, or else the root object itself.
// Each item has a parser of its own behind one tokenizer, so a bad item loses only itself and depth is bounded.
import { Tokenizer, TokenParser, TokenType } from '@streamparser/json';
import { hasDangerousKey, maxDepth } from '#lib/core/formats/foreign-json.ts';
import { dropDangerousKeys } from '#lib/core/std/json.ts';

export interface JsonItem {
	/** Counted from 0. */
	readonly index: number;
	/** Null when the item is no valid JSON. */
	readonly value: unknown;
	/** True when levels beyond `maxDepth` were cut from `value`; each stands as null. */
	readonly isCut: boolean;
	readonly isValid: boolean;
}

export interface JsonItems {
	/** The items that `bytes` completed. */
	push(bytes: Uint8Array): readonly JsonItem[];
	/** After the last bytes: `unfinished` when the text broke off or turned into no JSON. */
	end(): { readonly items: readonly JsonItem[]; readonly unfinished: boolean };
	/** What is known so far of a root object; null for an array. */
	readonly members: { readonly [key: string]: unknown } | null;
	/** Bytes since the last item was complete. */
	readonly openBytes: number;
}

type Frame = 'root' | 'array' | 'object' | 'conversations' | 'after';
type Token = Parameters<TokenParser['write']>[0];

export function createJsonItems(): JsonItems {
	const tokenizer = new Tokenizer();
	let done: JsonItem[] = [];
	let count = 0;
	let frame: Frame = 'root';
	let failed = false;
	const members: { [key: string]: unknown } = {};
	let membersAreCut = false;
	let hasConversations = false;
	let key: string | null = null;
	let value: OpenValue | null = null;
	let openBytes = 0;

	function finishValue(finished: OpenValue): void {
		value = null;
		if (frame === 'object') {
			if (key !== null && dropDangerousKeys(key, true) !== undefined) members[key] = finished.value();
			membersAreCut ||= finished.isCut;
			key = null;
			return;
		}
		done.push({ index: count++, value: finished.value(), isCut: finished.isCut, isValid: finished.isValid });
	}

	function closeRootObject(): void {
		frame = 'after';
		if (!hasConversations) done.push({ index: count++, value: members, isCut: membersAreCut, isValid: true });
	}

	tokenizer.onError = () => {
		failed = true;
	};
	tokenizer.onToken = (info: Token) => {
		if (failed) return;
		const { token } = info;
		if (value !== null) {
			value.write(info);
			if (value.isComplete) finishValue(value);
			return;
		}
		if (frame === 'root') {
			if (token === TokenType.LEFT_BRACKET) frame = 'array';
			else if (token === TokenType.LEFT_BRACE) frame = 'object';
			else failed = true;
		} else if (frame === 'after') failed = true;
		else if (token === TokenType.COMMA || token === TokenType.COLON) return;
		else if (frame !== 'object' && token === TokenType.RIGHT_BRACKET) frame = frame === 'array' ? 'after' : 'object';
		else if (frame === 'object' && token === TokenType.RIGHT_BRACE) closeRootObject();
		else if (frame === 'object' && key === null) {
			if (typeof info.value === 'string' && token === TokenType.STRING) key = info.value;
			else failed = true;
		} else if (frame === 'object' && key === 'conversations' && token === TokenType.LEFT_BRACKET) {
			frame = 'conversations';
			hasConversations = true;
			key = null;
		} else {
			value = createOpenValue();
			value.write(info);
			if (value.isComplete) finishValue(value);
		}
	};

	function take(): readonly JsonItem[] {
		const items = done;
		done = [];
		return items;
	}

	return {
		push(bytes) {
			if (!failed) tokenizer.write(bytes);
			openBytes = done.length > 0 ? 0 : openBytes + bytes.byteLength;
			return take();
		},
		end: () => ({ items: take(), unfinished: failed || frame !== 'after' }),
		get members() {
			return frame === 'object' || frame === 'conversations' ? members : null;
		},
		get openBytes() {
			return openBytes;
		}
	};
}

interface OpenValue {
	write(info: Token): void;
	readonly isComplete: boolean;
	readonly isCut: boolean;
	readonly isValid: boolean;
	/** Null for an invalid one. */
	value(): unknown;
}

/** One value out of tokens. It goes on to its end after an error, and drops levels beyond the limit as they come. */
function createOpenValue(): OpenValue {
	const parser = new TokenParser({ paths: ['$'] });
	let depth = 0;
	let isCut = false;
	let isValid = true;
	let isComplete = false;
	let result: unknown = null;
	parser.onValue = ({ value }) => {
		result = value;
	};
	parser.onError = () => {
		isValid = false;
	};

	return {
		write(info) {
			const opens = info.token === TokenType.LEFT_BRACE || info.token === TokenType.LEFT_BRACKET;
			const closes = info.token === TokenType.RIGHT_BRACE || info.token === TokenType.RIGHT_BRACKET;
			if (opens) depth++;
			const isTooDeep = depth > maxDepth;
			if (isTooDeep && opens && depth === maxDepth + 1) {
				isCut = true;
				if (isValid) parser.write({ token: TokenType.NULL, value: null });
			} else if (!isTooDeep && isValid) parser.write(info);
			if (closes) depth--;
			isComplete = depth <= 0;
		},
		get isComplete() {
			return isComplete;
		},
		get isCut() {
			return isCut;
		},
		get isValid() {
			return isValid;
		},
		value() {
			if (!isValid) return null;
			if (hasDangerousKey(result)) deleteDangerousKeys(result);
			return result;
		}
	};
}

/** In place: the value is fresh from the parser and nobody else has it yet. */
function deleteDangerousKeys(value: unknown): void {
	const open: unknown[] = [value];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (typeof next !== 'object' || next === null) continue;
		for (const [key, child] of Object.entries(next)) {
			if (dropDangerousKeys(key, true) === undefined) Reflect.deleteProperty(next, key);
			else if (typeof child === 'object' && child !== null) open.push(child);
		}
	}
}
