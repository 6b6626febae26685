// The JSON and JSONL files of a zip, opened by random access on the blob, each as a stream of bytes. Keeps FMT-60 to FMT-63.
// Nothing is written anywhere: a path in the archive is only a name to order by and to report.
import { BlobReader, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import { ImportError } from './import-error.ts';

export interface ZipLimits {
	readonly maxEntries: number;
	/** Of everything that is read, uncompressed. */
	readonly maxTotalBytes: number;
	/** Uncompressed to compressed, for entries beyond 1 MiB. */
	readonly maxRatio: number;
}

export const defaultZipLimits: ZipLimits = { maxEntries: 100_000, maxTotalBytes: 2 * 1024 ** 3, maxRatio: 200 };

/** Below this an entry is harmless whatever its ratio. */
const ratioFromBytes = 1024 * 1024;

export interface ZipText {
	/** Path in the archive. */
	readonly name: string;
	/** Uncompressed bytes; `onCompressedBytes` is told how much of the archive they stand for, in all. */
	chunks(onCompressedBytes: (bytes: number) => void): AsyncIterable<Uint8Array>;
}

/** True for the first bytes of a zip, an empty one included. */
export function isZip(head: Uint8Array): boolean {
	return head[0] === 0x50 && head[1] === 0x4b && ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * The texts of the archive in the order of their paths, numbers by value. Throws `ImportError`: `import-zip-damaged`,
 * `import-encrypted`, `import-too-large` with data.limit `entries`, `total` or `ratio`; the streams throw the same.
 */
export async function openZipTexts(file: Blob, limits: ZipLimits = defaultZipLimits): Promise<readonly ZipText[]> {
	const entries = await listEntries(file, limits);
	let totalBytes = 0;
	return entries.map((entry) => ({
		name: entry.filename,
		async *chunks(onCompressedBytes) {
			let entryBytes = 0;
			for await (const chunk of streamEntry(entry)) {
				entryBytes += chunk.byteLength;
				totalBytes += chunk.byteLength;
				if (totalBytes > limits.maxTotalBytes)
					throw new ImportError('import-too-large', { limit: 'total', maxBytes: limits.maxTotalBytes });
				if (entryBytes > ratioFromBytes && entryBytes > entry.compressedSize * limits.maxRatio) {
					throw new ImportError('import-too-large', { limit: 'ratio', maxRatio: limits.maxRatio, name: entry.filename });
				}
				const share = Math.min(1, entryBytes / Math.max(1, entry.uncompressedSize));
				onCompressedBytes(Math.round(share * entry.compressedSize));
				yield chunk;
			}
		}
	}));
}

async function listEntries(file: Blob, limits: ZipLimits): Promise<readonly FileEntry[]> {
	// Odd names are harmless here, and no reason to refuse an archive.
	const reader = new ZipReader(new BlobReader(file), { useWebWorkers: false, filenameValidation: 'tolerant' });
	const found: FileEntry[] = [];
	try {
		let count = 0;
		for await (const entry of reader.getEntriesGenerator()) {
			if (++count > limits.maxEntries) throw new ImportError('import-too-large', { limit: 'entries', maxEntries: limits.maxEntries });
			if (!entry.directory && isTextName(entry.filename)) found.push(entry);
		}
	} catch (cause) {
		if (cause instanceof ImportError) throw cause;
		throw new ImportError('import-zip-damaged', { reason: reasonOf(cause) });
	}
	if (found.some((entry) => entry.encrypted)) throw new ImportError('import-encrypted');
	return found.sort((left, right) => compareNames(left.filename, right.filename));
}

/** What a macOS archive adds beside each file is no file of the tool. */
function isTextName(name: string): boolean {
	return /\.jsonl?$/i.test(name) && !/(^|\/)(__MACOSX\/|\._)/.test(name);
}

/** By path, a run of digits by its value: `-2` before `-10`. */
function compareNames(left: string, right: string): number {
	const leftParts = left.split(/(\d+)/);
	const rightParts = right.split(/(\d+)/);
	for (const [index, leftPart] of leftParts.entries()) {
		const rightPart = rightParts[index];
		if (rightPart === undefined) return 1;
		if (leftPart === rightPart) continue;
		const difference = index % 2 === 1 ? Number(leftPart) - Number(rightPart) : 0;
		return difference || (leftPart < rightPart ? -1 : 1);
	}
	return -1;
}

async function* streamEntry(entry: FileEntry): AsyncGenerator<Uint8Array, undefined> {
	const pipe = new TransformStream<Uint8Array, Uint8Array>();
	const reader = pipe.readable.getReader();
	// Settles with the failure instead of rejecting: it is looked at after the last chunk, or never when the reader leaves.
	const written = entry.getData(pipe.writable, { useWebWorkers: false, checkCrc32: true }).then(
		() => null,
		(cause: unknown) => new ImportError('import-zip-damaged', { name: entry.filename, reason: reasonOf(cause) })
	);
	try {
		for (;;) {
			const next = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
			if (next.done) break;
			yield next.value;
		}
		const failure = await written;
		if (failure !== null) throw failure;
	} finally {
		await reader.cancel().catch(() => {});
	}
}

function reasonOf(cause: unknown): string {
	return cause instanceof Error ? cause.message : '';
}
