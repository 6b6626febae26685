import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ImportOutcome } from '#lib/core/formats/imported.ts';
import {
	chatGptConversation,
	codes,
	contentOf,
	edges,
	mappingNode,
	piHeader,
	piUser,
	threadOf
} from '#lib/core/formats/test-conversations.ts';
import type { JsonObject } from '#lib/core/std/json.ts';
import { readImportFile, type ImportProgress, type ReadImportOptions } from './read-import-file.ts';
import { readText, type TextVerdict } from './read-text.ts';
import { zipOf } from './test-files.ts';
import { createTextLines } from './text-lines.ts';

const conversation = (id: string, more: JsonObject = {}) => chatGptConversation([mappingNode(`${id}-u`)], { id, title: id, ...more });
const fileOf = (text: string | Uint8Array<ArrayBuffer>, name = 'anything') => new File([text], name);
const read = (file: File, options: ReadImportOptions = {}) => Array.fromAsync(readImportFile(file, options));
const readJson = (value: unknown) => read(fileOf(JSON.stringify(value)));
const ids = (outcomes: readonly ImportOutcome[]) => outcomes.map((outcome) => outcome.thread?.externalId ?? null);

describe('a JSON document', () => {
	it('FMT-50: an array, a list of conversations and a single conversation are read alike', async () => {
		const [first, second] = [conversation('a'), conversation('b')];
		expect(ids(await readJson([first, second]))).toEqual(['chatgpt:a', 'chatgpt:b']);
		expect(ids(await readJson({ version: 1, conversations: [first, second], extra: [[]] }))).toEqual(['chatgpt:a', 'chatgpt:b']);
		expect(ids(await readJson(first))).toEqual(['chatgpt:a']);
		expect(ids(await read(fileOf(JSON.stringify([first, second], null, 2))))).toEqual(['chatgpt:a', 'chatgpt:b']);
		expect(ids(await read(fileOf(JSON.stringify(first, null, '\t'))))).toEqual(['chatgpt:a']);
	});

	it('FMT-50: a conversation is given before the file has been read to its end', async () => {
		const taken: number[] = [];
		async function* chunks() {
			const encoder = new TextEncoder();
			yield encoder.encode(`[${JSON.stringify(conversation('a'))},${' '.repeat(70_000)}`);
			taken.push(2);
			yield encoder.encode(`${JSON.stringify(conversation('b'))}]`);
		}
		const outcomes = readText(chunks());
		const nextId = async () => {
			const next = await outcomes.next();
			return next.done === true ? null : threadOf(next.value).externalId;
		};
		expect(await nextId()).toBe('chatgpt:a');
		expect(taken).toEqual([]);
		expect(await nextId()).toBe('chatgpt:b');
		expect(taken).toEqual([2]);
	});

	it('FMT-01: items that do not tell wait for the first that does', async () => {
		const outcomes = await readJson([null, { title: 'Folder' }, conversation('a'), 7]);
		expect(ids(outcomes)).toEqual([null, null, 'chatgpt:a', null]);
		expect(outcomes[1]?.findings).toEqual([{ code: 'conversation-unreadable', count: 1, where: 'Folder' }]);
	});

	it('FMT-51: a bad item loses only itself', async () => {
		const text = `[${JSON.stringify(conversation('a'))},{"mapping" {}},${JSON.stringify(conversation('b'))}]`;
		const outcomes = await read(fileOf(text));
		expect(ids(outcomes)).toEqual(['chatgpt:a', null, 'chatgpt:b']);
		expect(outcomes[1]?.findings).toEqual([{ code: 'conversation-unreadable', count: 1, where: '#2' }]);
	});

	it.each([`,{"mapping":{"x":`, `,"\\q"]`, `] trailing`])('FMT-51: what stands before a broken end %s is kept', async (end) => {
		const outcomes = await read(fileOf(`[${JSON.stringify(conversation('a'))}${end}`));
		expect(ids(outcomes)).toEqual(['chatgpt:a', null]);
		expect(outcomes[1]?.findings).toEqual([{ code: 'conversation-unreadable', count: 1, where: 'the end of the file' }]);
	});

	it('FMT-04: a nesting bomb loses only its depth, and the rest goes on', async () => {
		const bomb = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;
		const deep = JSON.stringify(conversation('deep', { extra: 'BOMB' })).replace('"BOMB"', bomb);
		const outcomes = await read(fileOf(`[${deep},${JSON.stringify(conversation('b'))}]`));
		expect(ids(outcomes)).toEqual(['chatgpt:deep', 'chatgpt:b']);
		expect(outcomes.map((outcome) => outcome.findings)).toEqual([[{ code: 'too-deep', count: 1, where: 'deep' }], []]);
	});

	it('FMT-03: keys that could change a prototype never arrive', async () => {
		const strange = '{"content_type":"strange","__proto__":{"polluted":1},"constructor":2,"kept":[{"prototype":3}]}';
		const text = JSON.stringify([chatGptConversation([mappingNode('u', { content: 'STRANGE' })])]).replace('"STRANGE"', strange);
		const [outcome] = await read(fileOf(text));
		expect(contentOf(threadOf(outcome), 'u')?.payload).toEqual({
			content: [{ type: 'unknown', raw: { content_type: 'strange', kept: [{}] } }]
		});
		const raw = JSON.stringify(outcome);
		expect(['__proto__', 'polluted', 'constructor', 'prototype'].filter((key) => raw.includes(key))).toEqual([]);
		const [single] = await read(fileOf(JSON.stringify(conversation('a')).replace('{', '{"__proto__":{"mapping":1},')));
		expect(threadOf(single).externalId).toBe('chatgpt:a');
	});

	it('FMT-52: any cut into pieces gives the same outcomes', async () => {
		const text = `\uFEFF${JSON.stringify([conversation('ä', { n: -1.5e3 }), { title: '𝄞 "\\' }, conversation('水')])}`;
		const bytes = new TextEncoder().encode(text);
		const readPieces = async (cuts: readonly number[]): Promise<unknown[]> => {
			const ends = [...new Set(cuts)].toSorted((left, right) => left - right);
			async function* pieces() {
				let start = 0;
				for (const end of [...ends, bytes.length]) {
					yield bytes.subarray(start, end);
					start = end;
				}
			}
			return Array.fromAsync(readText(pieces()));
		};
		const whole = await readPieces([]);
		expect(whole).toHaveLength(3);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
				expect(await readPieces(cuts)).toEqual(whole);
			})
		);
	});

	it('FMT-02: a backup of another tool is refused by name before its end is read', async () => {
		async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
			const encoder = new TextEncoder();
			yield encoder.encode(`{"chat-next-web-store":{"sessions":[]},"padding":"${'x'.repeat(70_000)}"`);
			throw new Error('read too far');
		}
		const verdict: IteratorResult<ImportOutcome, TextVerdict> = await readText(chunks()).next();
		expect(verdict).toEqual({ done: true, value: { kind: 'unsupported', formatId: 'nextchat' } });
	});

	it.each(['hello', '{"a":1}', '[{"title":"x"},3]', '{"a":1}\n{"b":2}\n', '"text"', '[[[', '\u0000\u0001'])(
		'FMT-02: %j is no known format',
		async (text) => {
			await expect(read(fileOf(text, 'conversations.json'))).rejects.toMatchObject({ code: 'import-not-a-known-format' });
		}
	);

	it.each(['', '  \n ', '\uFEFF', '[]', ' [ ] '])('FMT-53: %j is empty', async (text) => {
		await expect(read(fileOf(text))).rejects.toMatchObject({ code: 'import-empty' });
	});
});

describe('a JSONL session', () => {
	const lines = [piHeader(), piUser('a', null), piUser('b', 'a')];

	it.each([
		['LF', lines.join('\n')],
		['CR LF and a byte order mark', `\uFEFF${lines.join('\r\n')}\r\n`],
		['blank lines', `\n\n${lines.join('\n\n')}\n\n`]
	])('FMT-52: lines with %s are the same session', async (_, text) => {
		const outcomes = await read(fileOf(text));
		expect(ids(outcomes)).toEqual(['pi:s']);
		expect(edges(threadOf(outcomes[0]))).toEqual(['>a', 'a>b']);
		expect(outcomes[0]?.findings).toEqual([]);
	});

	it('FMT-40: an unreadable header is reported and the session is still told', async () => {
		const [outcome] = await read(fileOf(`{"type":"sess\n${lines.slice(1).join('\n')}`));
		expect(edges(threadOf(outcome))).toEqual(['>a', 'a>b']);
		expect(outcome && codes(outcome)).toEqual(['line-unreadable 1']);
	});

	it('FMT-40: a line beyond the limit loses itself and no memory', () => {
		const splitter = createTextLines(10);
		const bytes = (text: string) => new TextEncoder().encode(text);
		expect(splitter.push(bytes('short\n0123456'))).toEqual(['short']);
		expect(splitter.push(bytes('7890'))).toEqual([]);
		expect(splitter.push(bytes('more\r\n0123456789\n'))).toEqual(['\u0000', '0123456789']);
		expect(splitter.end()).toEqual([]);
	});

	it('FMT-50: a session far longer than one piece arrives whole', async () => {
		const many = Array.from({ length: 10_000 }, (_, index) => piUser(`n${index}`, index === 0 ? null : `n${index - 1}`));
		const [outcome] = await read(fileOf([piHeader(), ...many].join('\n')));
		expect(threadOf(outcome).nodes).toHaveLength(10_000);
	});
});

describe('an archive', () => {
	it('FMT-60: shards come in the order of their numbers, other files are passed over', async () => {
		const file = await zipOf([
			{ name: 'export/conversations-10.json', text: JSON.stringify([conversation('c')]) },
			{ name: 'export/conversations-9.json', text: JSON.stringify([conversation('b')]) },
			{ name: 'export/conversations-1.json', text: JSON.stringify([conversation('a')]) },
			{ name: '__MACOSX/export/._conversations-1.json', text: 'x' },
			{ name: 'export/user.json', text: '{"id":"me"}' },
			{ name: 'export/chat.html', text: '<html>' },
			{ name: '../../sessions/one.jsonl', text: [piHeader(), piUser('a', null)].join('\n') },
			{ name: 'sessions/two.jsonl', text: [piHeader({ id: 't' }), piUser('a', null)].join('\n') }
		]);
		expect(ids(await read(file))).toEqual(['pi:s', 'chatgpt:a', 'chatgpt:b', 'chatgpt:c', 'pi:t']);
	});

	it.each([
		['another tool', [{ name: 'conversations.json', text: '[{"chat_messages":[]}]' }], 'import-format-not-supported-yet'],
		['no conversation', [{ name: 'user.json', text: '{"id":"me"}' }], 'import-not-a-known-format'],
		['empty files', [{ name: 'conversations.json', text: '[]' }], 'import-empty'],
		['nothing', [], 'import-empty']
	])('FMT-02: an archive of %s is refused', async (_, files, code) => {
		await expect(zipOf(files).then((file) => read(file))).rejects.toMatchObject({ code });
	});

	it('FMT-61: a bomb is refused by its ratio, after little of it', async () => {
		const file = await zipOf([{ name: 'conversations.json', text: `[${' '.repeat(20_000_000)}` }]);
		expect(file.size).toBeLessThan(50_000);
		await expect(read(file)).rejects.toMatchObject({ code: 'import-too-large', data: { limit: 'ratio' } });
	});

	it('FMT-61: more entries or more bytes than the limit are refused', async () => {
		const text = JSON.stringify([conversation('a')]);
		const file = await zipOf([1, 2, 3].map((number) => ({ name: `${number}.json`, text })));
		const limits = { maxEntries: 3, maxTotalBytes: text.length * 3, maxRatio: 200 };
		expect(await read(file, { zipLimits: limits })).toHaveLength(3);
		const refusal = (limit: string) => ({ code: 'import-too-large', data: { limit } });
		await expect(read(file, { zipLimits: { ...limits, maxEntries: 2 } })).rejects.toMatchObject(refusal('entries'));
		await expect(read(file, { zipLimits: { ...limits, maxTotalBytes: text.length * 3 - 1 } })).rejects.toMatchObject(refusal('total'));
	});

	it('FMT-62: encrypted and damaged archives have a code each', async () => {
		const files = [{ name: 'conversations.json', text: JSON.stringify([conversation('a')]) }];
		await expect(read(await zipOf(files, { password: 'pond' }))).rejects.toMatchObject({ code: 'import-encrypted' });
		const bytes = new Uint8Array(await (await zipOf(files)).arrayBuffer());
		await expect(read(fileOf(bytes.slice(0, -30)))).rejects.toMatchObject({ code: 'import-zip-damaged' });
		bytes.fill(0xff, 60, 90);
		await expect(read(fileOf(bytes))).rejects.toMatchObject({ code: 'import-zip-damaged' });
	});
});

describe('progress', () => {
	it('FMT-54: it grows to the size of the file and counts the conversations', async () => {
		const items = Array.from({ length: 40 }, (_, index) => conversation(`c${index}`, { padding: 'moss '.repeat(20_000) }));
		for (const file of [fileOf(JSON.stringify(items)), await zipOf([{ name: 'conversations.json', text: JSON.stringify(items) }])]) {
			const told: ImportProgress[] = [];
			expect(
				await read(file, { onProgress: (progress) => told.push(progress), zipLimits: { maxEntries: 9, maxTotalBytes: 1e9, maxRatio: 1e9 } })
			).toHaveLength(40);
			expect(told.at(-1)).toEqual({ bytesRead: file.size, totalBytes: file.size, conversations: 40 });
			expect(told.map((progress) => progress.bytesRead)).toEqual(
				told.map((progress) => progress.bytesRead).toSorted((left, right) => left - right)
			);
		}
	});

	it('FMT-54: aborting ends it between two conversations without an error', async () => {
		const controller = new AbortController();
		const seen: (string | null)[] = [];
		for await (const outcome of readImportFile(fileOf(JSON.stringify([conversation('a'), conversation('b')])), {
			signal: controller.signal
		})) {
			seen.push(...ids([outcome]));
			controller.abort();
		}
		expect(seen).toEqual(['chatgpt:a']);
		expect(await read(fileOf(''), { signal: controller.signal })).toEqual([]);
	});
});
