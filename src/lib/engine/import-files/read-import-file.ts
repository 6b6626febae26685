// Reads a file of another tool into threads, streaming: a zip, a JSON document or a JSONL session. Keeps FMT-50 to FMT-65.
// Runs in a worker, and in Node for tests: no DOM, no web workers of its own, nothing fetched, nothing written.
import type { ImportOutcome } from '#lib/core/formats/imported.ts';
import { ImportError } from './import-error.ts';
import { readText, type TextVerdict } from './read-text.ts';
import { defaultZipLimits, isZip, openZipTexts, type ZipLimits } from './zip-texts.ts';

export { ImportError };

/** Progress is told once in so many bytes, and at the end. */
const progressStepBytes = 1024 * 1024;

export interface ImportProgress {
	/** Of the file as it lies on the disk: of a zip, compressed bytes. */
	readonly bytesRead: number;
	readonly totalBytes: number;
	/** Outcomes so far, refused conversations included. */
	readonly conversations: number;
}

export interface ReadImportOptions {
	/** Aborting ends the iteration early, without an error. */
	readonly signal?: AbortSignal;
	readonly onProgress?: (progress: ImportProgress) => void;
	readonly zipLimits?: ZipLimits;
}

/**
 * One outcome a conversation, in the order of the file. Throws `ImportError` when the file as a whole is refused, which
 * may come after outcomes: a damaged archive gives what stands before the damage.
 */
export async function* readImportFile(
	file: Blob & { readonly name: string },
	options: ReadImportOptions = {}
): AsyncGenerator<ImportOutcome, undefined> {
	const { signal, onProgress } = options;
	let conversations = 0;
	let bytesRead = 0;
	let bytesTold = -progressStepBytes;
	function advance(bytes: number): void {
		signal?.throwIfAborted();
		bytesRead = Math.min(file.size, Math.max(bytesRead, bytes));
		if (bytesRead - bytesTold < progressStepBytes && bytesRead < file.size) return;
		bytesTold = bytesRead;
		onProgress?.({ bytesRead, totalBytes: file.size, conversations });
	}

	try {
		signal?.throwIfAborted();
		if (file.size === 0) throw new ImportError('import-empty');
		const head = new Uint8Array(await readable(file.slice(0, 4).arrayBuffer()));
		const outcomes = isZip(head) ? readZip(file, options.zipLimits ?? defaultZipLimits, advance) : readPlain(file, advance);
		for await (const outcome of outcomes) {
			conversations++;
			yield outcome;
			signal?.throwIfAborted();
		}
		advance(file.size);
	} catch (cause) {
		if (signal?.aborted !== true) throw cause;
	}
}

async function* readPlain(file: Blob, advance: (bytesRead: number) => void): AsyncGenerator<ImportOutcome, undefined> {
	const verdict = yield* readText(streamBlob(file, advance));
	refuseUnlessRead([verdict]);
}

async function* readZip(file: Blob, limits: ZipLimits, advance: (bytesRead: number) => void): AsyncGenerator<ImportOutcome, undefined> {
	const verdicts: TextVerdict[] = [];
	let bytesBefore = 0;
	for (const text of await openZipTexts(file, limits)) {
		let bytes = 0;
		const chunks = text.chunks((compressedBytes) => {
			bytes = compressedBytes;
			advance(bytesBefore + bytes);
		});
		verdicts.push(yield* readText(chunks));
		bytesBefore += bytes;
	}
	refuseUnlessRead(verdicts);
}

/** An archive holds other things beside the conversations: one text that was read is enough. */
function refuseUnlessRead(verdicts: readonly TextVerdict[]): void {
	if (verdicts.some((verdict) => verdict.kind === 'read')) return;
	const unsupported = verdicts.find((verdict) => verdict.kind === 'unsupported');
	if (unsupported !== undefined) throw new ImportError('import-format-not-supported-yet', { format: unsupported.formatId });
	throw new ImportError(verdicts.every((verdict) => verdict.kind === 'empty') ? 'import-empty' : 'import-not-a-known-format');
}

async function* streamBlob(file: Blob, advance: (bytesRead: number) => void): AsyncGenerator<Uint8Array, undefined> {
	const reader = file.stream().getReader();
	let bytesRead = 0;
	try {
		for (let next = await readable(reader.read()); !next.done; next = await readable(reader.read())) {
			bytesRead += next.value.byteLength;
			advance(bytesRead);
			yield next.value;
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

/** A browser refuses to read a file that changed or vanished since it was chosen. */
async function readable<T>(reading: Promise<T>): Promise<T> {
	return reading.catch((cause: unknown) => {
		throw new ImportError('import-unreadable', { reason: cause instanceof Error ? cause.message : '' });
	});
}
