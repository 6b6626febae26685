// Builds the files that the tests of this folder read.
import { BlobWriter, TextReader, ZipWriter, type ZipWriterConstructorOptions } from '@zip.js/zip.js/lib/zip-core-native.js';

export interface TestFile {
	readonly name: string;
	readonly text: string;
}

export async function zipOf(files: readonly TestFile[], options: ZipWriterConstructorOptions = {}): Promise<File> {
	const writer = new ZipWriter(new BlobWriter('application/zip'), { useWebWorkers: false, ...options });
	for (const { name, text } of files) await writer.add(name, new TextReader(text));
	return new File([await writer.close()], 'export.zip');
}
