// Damage of every kind, written straight into the database and opened: shown, said, mended where it can be, and gone on with.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';

type Row = Record<string, unknown> & { id: string };
interface Written {
	readonly thread: Row;
	readonly nodes: readonly Row[];
}

const device = '00000000000000ee';
/** `q1 a1 q2 a2 q3 a3`, one under the other; `damage` spoils it. */
function conversation(damage: (thread: Row, nodes: Row[]) => void): Written {
	const threadId = randomUUID();
	const ids = Array.from({ length: 6 }, () => randomUUID());
	const nodes = ids.map((id, at): Row => ({
		id,
		threadId,
		parentId: ids[at - 1] ?? null,
		seq: at + 1,
		ts: 1_700_000_000_000 + at,
		ord: `000000001-000${at}-${device}`,
		segmentId: ids[0],
		depth: at,
		...(at === 0 ? { forkSegmentId: 'root' } : {}),
		...(at % 2 === 0
			? { type: 'user_message', payload: { content: [{ type: 'text', text: `question ${at / 2 + 1}` }] } }
			: {
					type: 'assistant_message',
					payload: {
						content: [{ type: 'text', text: `answer ${(at + 1) / 2}` }],
						model: 'guide',
						connectionId: 'guide',
						status: 'complete'
					}
				})
	}));
	const thread: Row = {
		id: threadId,
		title: 'damaged',
		titleSource: 'person',
		createdAt: 1,
		updatedAt: 1,
		leafId: ids.at(-1),
		lastSeq: 6,
		folderId: null,
		tags: [],
		pinned: 0,
		archived: 0,
		stats: { turns: 3, totalTokens: 0, costUsd: 0 },
		scopeOrigins: [],
		stamps: {}
	};
	damage(thread, nodes);
	return { thread, nodes };
}

const text = (row: Row | undefined) => JSON.stringify(row?.['payload']);

function write(page: Page, { thread, nodes }: Written): Promise<void> {
	return page.evaluate(
		([row, rows]) =>
			new Promise<void>((resolve, reject) => {
				const opening = indexedDB.open('bough');
				opening.onerror = () => reject(new Error(String(opening.error)));
				opening.onsuccess = () => {
					const transaction = opening.result.transaction(['threads', 'nodes'], 'readwrite');
					transaction.objectStore('threads').put(row);
					for (const each of rows) transaction.objectStore('nodes').put(each);
					transaction.oncomplete = () => resolve(opening.result.close());
					transaction.onabort = () => reject(new Error(String(transaction.error)));
				};
			}),
		[thread, nodes] as const
	);
}

interface Kind {
	readonly name: string;
	readonly damage: (thread: Row, nodes: Row[]) => void;
	/** What the conversation says of it; null: nothing that a person need know. */
	readonly told: RegExp | null;
	readonly shown: readonly RegExp[];
}

const kinds: readonly Kind[] = [
	{
		name: 'the cursor names nothing',
		damage: (thread) => (thread['leafId'] = randomUUID()),
		told: /place where you were could not be found/,
		shown: [/question 1/, /answer 3/]
	},
	{
		name: 'the cursor names a tombstone',
		damage: (_, nodes) => Object.assign(nodes[5] ?? {}, { deleted: true, deletedOrd: `000000002-0000-${device}` }),
		told: /place where you were could not be found/,
		shown: [/question 3/]
	},
	{
		name: 'a message in the middle is gone',
		damage: (_, nodes) => nodes.splice(2, 1),
		told: /3 messages have lost what stood before them/,
		shown: [/question 1/, /answer 1/]
	},
	{
		name: 'the first message is gone',
		damage: (_, nodes) => nodes.splice(0, 1),
		told: /5 messages have lost what stood before them/,
		shown: [/answer 1/, /answer 3/]
	},
	{
		name: 'a circle of parents',
		damage: (_, nodes) => Object.assign(nodes[0] ?? {}, { parentId: nodes[5]?.id }),
		told: /6 messages have lost what stood before them/,
		shown: [/answer 3/]
	},
	{
		name: 'a message that is its own parent',
		damage: (_, nodes) => Object.assign(nodes[4] ?? {}, { parentId: nodes[4]?.id }),
		told: /2 messages have lost what stood before them/,
		shown: [/answer 2/]
	},
	{
		name: 'a parent in another conversation',
		damage: (_, nodes) => Object.assign(nodes[3] ?? {}, { threadId: randomUUID() }),
		told: /2 messages have lost what stood before them/,
		shown: [/question 2/]
	},
	{
		name: 'a number twice, and a counter that fell behind',
		damage(thread, nodes) {
			Object.assign(nodes[3] ?? {}, { seq: 3 });
			thread['lastSeq'] = 2;
		},
		told: /carried a number twice/,
		shown: [/question 1/, /answer 3/]
	},
	{
		name: 'hints of place that are all wrong',
		damage: (_, nodes) => nodes.forEach((node, at) => Object.assign(node, { segmentId: node.id, depth: 7 - at })),
		told: null,
		shown: [/question 1/, /answer 3/]
	},
	{
		name: 'payloads that are none, and a type of the future',
		damage(_, nodes) {
			Object.assign(nodes[1] ?? {}, { payload: null });
			Object.assign(nodes[2] ?? {}, { payload: { content: 'a text' } });
			Object.assign(nodes[3] ?? {}, { type: 'hologram', payload: { beam: 'blue' } });
		},
		told: null,
		shown: [/question 1/, /hologram/, /question 3/, /answer 3/]
	},
	{
		name: 'hints of place that are no keys',
		damage: (_, nodes) => nodes.forEach((node, at) => (at % 2 === 0 ? delete node['segmentId'] : (node['depth'] = 'deep'))),
		told: null,
		shown: [/question 1/, /answer 3/]
	},
	{
		name: 'blocks and times that are none, and a type with the name of a property',
		damage(_, nodes) {
			Object.assign(nodes[0] ?? {}, { ts: 'never' });
			Object.assign(nodes[1] ?? {}, { ts: 8.64e16 });
			Object.assign(nodes[2] ?? {}, { payload: { content: [null] } });
			Object.assign(nodes[3] ?? {}, { type: 'constructor', payload: {} });
			Object.assign(nodes[4] ?? {}, { payload: { content: [{ type: 'text' }] } });
		},
		told: null,
		shown: [/question 1/, /answer 1/, /constructor/, /answer 3/]
	},
	{
		name: 'labels of messages that are gone',
		damage: (_, nodes) => Object.assign(nodes[3] ?? {}, { type: 'label', payload: { targetId: randomUUID(), label: 'lost' } }),
		told: null,
		shown: [/question 1/, /question 2/, /answer 3/]
	}
];

for (const { name, damage, told, shown } of kinds) {
	test(`E2E-110 ${name}: the conversation opens, says what was found, and goes on`, async ({ app, page }) => {
		await app.open();
		// The engine has made its database.
		await app.askAndWait('What is Bough?');
		const written = conversation(damage);
		await write(page, written);
		await page.goto(`/t/${written.thread.id}`);
		const log = page.locator('[role=log]');
		if (told) await expect(log).toContainText(told);
		for (const words of shown) await expect(log).toContainText(words);
		await app.ask('And on we go');
		await app.settled();
		await expect(app.answers.last()).toContainText(/./);
		await page.reload();
		await expect(app.questions.last()).toContainText('And on we go');
		// Told once, and nothing of the rows has changed but what marks a place.
		if (told) await expect(log.getByText(told)).toHaveCount(1);
		const after = await page.evaluate(
			(ids) =>
				new Promise<Row[]>((resolve, reject) => {
					const opening = indexedDB.open('bough');
					opening.onerror = () => reject(new Error(String(opening.error)));
					opening.onsuccess = () => {
						const store = opening.result.transaction('nodes').objectStore('nodes');
						const rows: Row[] = [];
						for (const id of ids) store.get(id).onsuccess = ({ target }) => rows.push((target as IDBRequest<Row>).result);
						store.transaction.oncomplete = () => {
							opening.result.close();
							resolve(rows);
						};
					};
				}),
			written.nodes.map((node) => node.id)
		);
		expect(after.map(text)).toEqual(written.nodes.map(text));
	});
}
