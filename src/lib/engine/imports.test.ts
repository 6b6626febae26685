import { describe, expect, it, vi } from 'vitest';
import { textOf } from '#lib/core/domain/nodes.ts';
import type { JsonObject } from '#lib/core/std/json.ts';
import { newId } from '#lib/platform/ids.ts';
import { readThreadView } from '#lib/storage/queries/thread-view.ts';
import { ask, setupEngine, type TestEngine } from './test-engine.ts';

vi.setConfig({ testTimeout: 60_000 });

interface Message {
	readonly id: string;
	readonly parent: string | null;
	readonly role?: string;
}

function conversation(id: string, messages: readonly Message[], more: JsonObject = {}): JsonObject {
	const mapping = Object.fromEntries(
		messages.map(({ id: messageId, parent, role = 'user' }) => [
			messageId,
			{
				id: messageId,
				parent,
				children: messages.filter((other) => other.parent === messageId).map((other) => other.id),
				message: { id: messageId, author: { role }, content: { content_type: 'text', parts: [messageId] }, metadata: {}, recipient: 'all' }
			}
		])
	);
	return { id, title: `Title of ${id}`, create_time: 10, update_time: 20, mapping, ...more };
}

const fileOf = (...conversations: readonly JsonObject[]) => new File([JSON.stringify(conversations)], 'conversations.json');

const forked = conversation(
	'c1',
	[
		{ id: 'q', parent: null },
		{ id: 'a', parent: 'q', role: 'assistant' },
		{ id: 'b', parent: 'q', role: 'assistant' },
		{ id: 'q2', parent: 'a' }
	],
	{ current_node: 'q2' }
);

const bringIn = (engine: TestEngine, file: File, importId = newId()) => engine.send('import.file', { importId, file });

async function importOne(engine: TestEngine, file: File): Promise<string> {
	const receipt = await bringIn(engine, file);
	const threadId = receipt.ok ? receipt.value.threadIds[0] : undefined;
	if (threadId === undefined) throw new Error(JSON.stringify(receipt));
	return threadId;
}

describe('an import', () => {
	it('IMP-01: gives ids of ours, keeps the foreign ones beside them, and all links', async () => {
		const engine = await setupEngine();
		const threadId = await importOne(engine, fileOf(forked));
		const nodes = await engine.nodes(threadId);
		const nameOf = (id: string | null) => nodes.find((node) => node.id === id)?.externalId ?? null;
		expect(nodes.map((node) => [node.externalId, nameOf(node.parentId), node.seq, node.depth])).toEqual([
			['chatgpt:c1:q', null, 1, 0],
			['chatgpt:c1:a', 'chatgpt:c1:q', 2, 1],
			['chatgpt:c1:q2', 'chatgpt:c1:a', 3, 2],
			['chatgpt:c1:b', 'chatgpt:c1:q', 4, 1]
		]);
		for (const { id } of nodes) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
		expect(await engine.database.threads.get(threadId)).toMatchObject({
			title: 'Title of c1',
			titleSource: 'import',
			createdAt: 10_000,
			updatedAt: 20_000,
			lastSeq: 4,
			source: 'chatgpt',
			stats: { turns: 2 }
		});
	});

	it('IMP-01: references inside payloads become our ids', async () => {
		const engine = await setupEngine();
		const line = (fields: JsonObject) => JSON.stringify({ timestamp: '2026-01-02T03:04:06.000Z', ...fields });
		const say = (id: string, parentId: string | null) => line({ type: 'message', id, parentId, message: { role: 'user', content: id } });
		const lines = [
			JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/home' }),
			say('u1', null),
			say('u2', 'u1'),
			line({ type: 'compaction', id: 'k', parentId: 'u2', summary: 'so far', firstKeptEntryId: 'u2', tokensBefore: 10 }),
			line({ type: 'label', id: 'l', parentId: 'k', targetId: 'u1', label: 'here' })
		];
		const threadId = await importOne(engine, new File([lines.join('\n')], 's.jsonl'));
		const nodes = await engine.nodes(threadId);
		const idOf = (name: string) => nodes.find((node) => node.externalId?.endsWith(`:${name}`))?.id;
		expect(nodes.find((node) => node.type === 'compaction')?.payload).toMatchObject({ firstKeptEntryId: idOf('u2') });
		expect(nodes.find((node) => node.type === 'label')?.payload).toMatchObject({ targetId: idOf('u1') });
	});

	it('IMP-02: what is here already is left alone, also what was changed since', async () => {
		const engine = await setupEngine();
		const threadId = await importOne(engine, fileOf(forked));
		await engine.send('thread.rename', { threadId, title: 'Mine now' });
		await ask(engine, threadId, 'and more', 'a');
		const before = [await engine.database.threads.toArray(), await engine.database.nodes.toArray()];
		const other = conversation('c2', [{ id: 'q', parent: null }]);
		expect(await bringIn(engine, fileOf(forked))).toMatchObject({ ok: true, value: { threadIds: [], alreadyHere: 1, messages: 0 } });
		expect([await engine.database.threads.toArray(), await engine.database.nodes.toArray()]).toEqual(before);
		expect(await bringIn(engine, fileOf(forked, other))).toMatchObject({
			value: { threadIds: [expect.any(String)], alreadyHere: 1, messages: 1 }
		});
		await engine.send('thread.delete', { threadId });
		expect(await bringIn(engine, fileOf(forked))).toMatchObject({ value: { threadIds: [expect.any(String)], alreadyHere: 0 } });
	});

	it('IMP-02: two imports of one file at once bring each conversation in once', async () => {
		const engine = await setupEngine();
		const file = fileOf(forked, conversation('c2', [{ id: 'q', parent: null }]));
		const receipts = await Promise.all([bringIn(engine, file), bringIn(engine, file)]);
		expect(receipts.flatMap((receipt) => (receipt.ok ? receipt.value.threadIds : [])).length).toBe(2);
		expect(await engine.database.threads.count()).toBe(2);
	});

	it('IMP-03: the branch that was in view is in view, and its forks remember it', async () => {
		const engine = await setupEngine();
		const threadId = await importOne(engine, fileOf(forked));
		const view = await readThreadView(engine.database, threadId, { endId: null, limit: 10 });
		expect(view?.nodes.map((node) => node.externalId)).toEqual(['chatgpt:c1:q', 'chatgpt:c1:a', 'chatgpt:c1:q2']);
		const [question, first] = view?.nodes ?? [];
		const second = (await engine.nodes(threadId)).find((node) => node.externalId === 'chatgpt:c1:b');
		if (!question || !first || !second) throw new Error('all are there');
		expect(await engine.database.forkChoices.toArray()).toEqual([{ threadId, parentId: question.id, childId: first.id }]);
		await engine.send('thread.selectBranch', { threadId, nodeId: second.id });
		await engine.send('thread.selectBranch', { threadId, nodeId: first.id });
		const leaf = await engine.database.nodes.get((await engine.database.threads.get(threadId))?.leafId ?? '');
		expect(leaf?.externalId).toBe('chatgpt:c1:q2');
	});

	it('IMP-04: a conversation that cannot be written whole is not there at all, those before it are', async () => {
		const engine = await setupEngine();
		const nodes = engine.database.tableBelowHooks('nodes');
		const { mutate } = nodes;
		const full = Object.assign(new Error('planted'), { name: 'QuotaExceededError' });
		vi.spyOn(nodes, 'mutate').mockImplementationOnce(mutate).mockRejectedValueOnce(full);
		const file = fileOf(forked, conversation('c2', [{ id: 'q', parent: null }]));
		const submissionId = newId();
		const importId = newId();
		expect(await engine.send('import.file', { importId, file }, submissionId)).toMatchObject({
			ok: false,
			error: { code: 'engine-storage-full' }
		});
		expect(await engine.database.threads.count()).toBe(1);
		expect(await engine.database.importOrigins.count()).toBe(1);
		expect(await engine.send('import.file', { importId, file }, submissionId)).toMatchObject({
			ok: true,
			value: { alreadyHere: 1, messages: 1 }
		});
	});

	it('IMP-04: a cancelled import stops between two conversations and keeps what is in', async () => {
		const engine = await setupEngine();
		const importId = newId();
		const nodes = engine.database.tableBelowHooks('nodes');
		const { mutate } = nodes;
		vi.spyOn(nodes, 'mutate').mockImplementationOnce((request) => {
			engine.deps.imports.cancel(importId);
			return mutate(request);
		});
		const file = fileOf(forked, conversation('c2', [{ id: 'q', parent: null }]));
		expect(await bringIn(engine, file, importId)).toMatchObject({ ok: true, value: { threadIds: [expect.any(String)], cancelled: true } });
		expect(await engine.database.threads.count()).toBe(1);
		expect(await engine.send('import.cancel', { importId: newId() })).toEqual({ ok: true, value: {} });
	});

	it('IMP-05: tells what was left out, how far it is, and why a file is refused', async () => {
		const engine = await setupEngine();
		const importId = newId();
		const orphaned = conversation('c3', [
			{ id: 'x', parent: 'gone' },
			{ id: 'y', parent: 'also gone' }
		]);
		const receipt = await bringIn(engine, fileOf(forked, conversation('c2', []), orphaned), importId);
		expect(receipt).toMatchObject({
			ok: true,
			value: {
				leftOut: 1,
				messages: 6,
				cancelled: false,
				findings: expect.arrayContaining([expect.objectContaining({ code: 'missing-parent', count: 2 })]) as unknown
			}
		});
		const last = engine.events.filter((event) => event.type === 'import.progress').at(-1);
		expect(last).toMatchObject({ importId, conversations: 3 });
		expect(last?.bytesRead).toBe(last?.totalBytes);
		const refusals = [new File([''], 'a'), new File(['{"a":1}'], 'b'), new File(['%PDF-1.7'], 'c')];
		const codes = await Promise.all(refusals.map((file) => bringIn(engine, file)));
		expect(codes.map((code) => (code.ok ? 'accepted' : code.error.code))).toEqual([
			'import-empty',
			'import-not-a-known-format',
			'import-not-a-known-format'
		]);
	});

	it('IMP-06: a conversation of 10,000 messages comes in whole, and its end is read with a few rows', async () => {
		const engine = await setupEngine();
		const messages = Array.from({ length: 10_000 }, (_, at) => ({
			id: `m${at}`,
			parent: at === 0 ? null : `m${at - 1}`,
			role: at % 2 === 0 ? 'user' : 'assistant'
		}));
		const threadId = await importOne(engine, fileOf(conversation('long', messages, { current_node: 'm9999' })));
		expect((await engine.database.threads.get(threadId))?.lastSeq).toBe(10_000);
		const view = await readThreadView(engine.database, threadId, { endId: null, limit: 4 });
		expect(view?.nodes.map((node) => node.depth)).toEqual([9_996, 9_997, 9_998, 9_999]);
		expect(view?.nodes.map((node) => (node.type === 'user_message' ? textOf(node.payload.content) : node.type)).at(2)).toBe('m9998');
	}, 60_000);
});
