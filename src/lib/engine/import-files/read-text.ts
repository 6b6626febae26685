// One text of an import, a JSON document or a JSONL file, as outcomes while it streams in. Keeps FMT-50 to FMT-56.
import { detectItem, detectLine, type Format } from '#lib/core/formats/detect.ts';
import { parseJson } from '#lib/core/formats/foreign-json.ts';
import type { ImportFinding, ImportOutcome } from '#lib/core/formats/imported.ts';
import { ImportError } from './import-error.ts';
import { createJsonItems, type JsonItem } from './json-items.ts';
import { createTextLines } from './text-lines.ts';

/** How a text ended. `read` even when each conversation in it was refused. */
export type TextVerdict =
	| { readonly kind: 'read' }
	| { readonly kind: 'empty' }
	| { readonly kind: 'unknown' }
	| { readonly kind: 'unsupported'; readonly formatId: string };

/** What is looked at before anything is decided. */
const headBytes = 64 * 1024;
/** Items or lines that do not tell their format, before the text counts as unknown. */
const undecidedLimit = 10_000;
/** One conversation; the largest known are some tens of megabytes. */
const maxItemBytes = 256 * 1024 * 1024;

type Chunks = AsyncIterator<Uint8Array>;
type LineReader = ReturnType<NonNullable<Format['createLineReader']>>;

/** Throws `ImportError` with `import-too-large` when one conversation passes the limit, and whatever `chunks` throws. */
export async function* readText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportOutcome, TextVerdict> {
	const iterator = chunks[Symbol.asyncIterator]();
	try {
		const head = await readHead(iterator);
		if (head.text.trim() === '') return { kind: 'empty' };
		const text = withHead(head.chunks, iterator);
		return looksLikeLines(head.text, head.isWhole) ? yield* readLines(text) : yield* readDocument(text);
	} finally {
		await iterator.return?.();
	}
}

async function readHead(iterator: Chunks): Promise<{ chunks: readonly Uint8Array[]; text: string; isWhole: boolean }> {
	const decoder = new TextDecoder('utf-8');
	const chunks: Uint8Array[] = [];
	let text = '';
	let bytes = 0;
	while (bytes < headBytes || text.trim() === '') {
		const next = await iterator.next();
		if (next.done === true) return { chunks, text: text + decoder.decode(), isWhole: true };
		chunks.push(next.value);
		bytes += next.value.byteLength;
		text = (text.trim() === '' ? '' : text) + decoder.decode(next.value, { stream: true });
	}
	return { chunks, text, isWhole: false };
}

async function* withHead(head: readonly Uint8Array[], rest: Chunks): AsyncGenerator<Uint8Array, undefined> {
	yield* head;
	for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** One JSON object a line, rather than one document: the first line is complete and not the last, or a line tells. */
function looksLikeLines(head: string, isWhole: boolean): boolean {
	if (head.trimStart().startsWith('[')) return false;
	const lines = head.split('\n').map((line) => line.trim());
	if (!isWhole) lines.pop();
	const full = lines.filter((line) => line !== '');
	const [first] = full;
	if (first === undefined) return false;
	if (full.length > 1 && parseJson(first).ok) return true;
	return full.some((line) => {
		const parsed = parseJson(line);
		return parsed.ok && detectLine(parsed.value) !== null;
	});
}

async function* readDocument(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportOutcome, TextVerdict> {
	const reader = createJsonItems();
	const undecided: JsonItem[] = [];
	const decided: { toThread: Format['itemToThread'] } = { toThread: undefined };

	function decide(format: Format | null): TextVerdict | null {
		if (format === null || decided.toThread !== undefined) return null;
		if (format.itemToThread === undefined) return { kind: 'unsupported', formatId: format.id };
		decided.toThread = format.itemToThread;
		return null;
	}

	function* take(items: readonly JsonItem[]): Generator<ImportOutcome, TextVerdict | null> {
		for (const item of items) {
			const verdict = decide(detectItem(item.value));
			if (verdict !== null) return verdict;
			undecided.push(item);
			const { toThread } = decided;
			if (toThread === undefined) {
				if (undecided.length > undecidedLimit) return { kind: 'unknown' };
				continue;
			}
			for (const ready of undecided.splice(0)) yield itemToOutcome(ready, toThread);
		}
		return null;
	}

	for await (const chunk of chunks) {
		const verdict = yield* take(reader.push(chunk));
		if (verdict !== null) return verdict;
		if (reader.openBytes > maxItemBytes) throw new ImportError('import-too-large', { limit: 'conversation', maxBytes: maxItemBytes });
		// A backup of another tool is one big object: its first members tell, long before its end.
		const early = decided.toThread === undefined && reader.members !== null ? detectItem(reader.members) : null;
		if (early !== null && early.itemToThread === undefined) return { kind: 'unsupported', formatId: early.id };
	}
	const { items, unfinished } = reader.end();
	const verdict = yield* take(items);
	if (verdict !== null) return verdict;
	if (decided.toThread === undefined) return { kind: undecided.length === 0 && !unfinished ? 'empty' : 'unknown' };
	if (unfinished) yield { thread: null, findings: [{ code: 'conversation-unreadable', count: 1, where: 'the end of the file' }] };
	return { kind: 'read' };
}

function itemToOutcome(item: JsonItem, toThread: NonNullable<Format['itemToThread']>): ImportOutcome {
	const where = `#${item.index + 1}`;
	if (!item.isValid) return { thread: null, findings: [{ code: 'conversation-unreadable', count: 1, where }] };
	const outcome = toThread(item.value);
	if (!item.isCut) return outcome;
	const finding: ImportFinding = { code: 'too-deep', count: 1, where: outcome.thread?.title || where };
	return { thread: outcome.thread, findings: [finding, ...outcome.findings] };
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ImportOutcome, TextVerdict> {
	const splitter = createTextLines();
	const undecided: string[] = [];
	const decided: { reader: LineReader | null } = { reader: null };

	function take(lines: readonly string[]): TextVerdict | null {
		for (const line of lines) {
			if (decided.reader !== null) {
				decided.reader.push(line);
				continue;
			}
			undecided.push(line);
			const parsed = parseJson(line);
			const format = parsed.ok ? detectLine(parsed.value) : null;
			if (format !== null) {
				if (format.createLineReader === undefined) return { kind: 'unsupported', formatId: format.id };
				decided.reader = format.createLineReader();
				for (const held of undecided.splice(0)) decided.reader.push(held);
			} else if (undecided.length > undecidedLimit) return { kind: 'unknown' };
		}
		return null;
	}

	for await (const chunk of chunks) {
		const verdict = take(splitter.push(chunk));
		if (verdict !== null) return verdict;
	}
	const verdict = take(splitter.end());
	if (verdict !== null) return verdict;
	if (decided.reader === null) return { kind: 'unknown' };
	yield decided.reader.finish();
	return { kind: 'read' };
}
