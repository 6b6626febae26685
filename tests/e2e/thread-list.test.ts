// A list of five thousand conversations: what it reads, and what of it stands in the page.
import { expect, test } from './test.ts';

const conversations = 5_000;

test('VIEW-31 E2E-131 five thousand conversations are listed without reading a message, and the page stays small', async ({
	app,
	page
}) => {
	test.setTimeout(120_000);
	// Every read of every table by this page, from its first line of script on.
	await page.addInitScript(() => {
		const reads: Record<string, number> = {};
		Object.assign(globalThis, { reads });
		const count = (name: string) => (reads[name] = (reads[name] ?? 0) + 1);
		for (const method of ['get', 'getAll', 'getKey', 'getAllKeys', 'openCursor', 'openKeyCursor', 'count'] as const) {
			for (const kind of [IDBObjectStore.prototype, IDBIndex.prototype]) {
				const plain = kind[method] as (...args: unknown[]) => unknown;
				Object.assign(kind, {
					[method](this: IDBObjectStore | IDBIndex, ...args: unknown[]) {
						count('objectStore' in this ? this.objectStore.name : this.name);
						return plain.apply(this, args);
					}
				});
			}
		}
	});
	await app.open();
	await page.evaluate(
		(many) =>
			new Promise<void>((resolve, reject) => {
				const opening = indexedDB.open('bough');
				opening.onerror = () => reject(new Error(String(opening.error)));
				opening.onsuccess = () => {
					const transaction = opening.result.transaction(['threads', 'nodes'], 'readwrite');
					for (let at = 0; at < many; at++) {
						const threadId = crypto.randomUUID();
						const [questionId, answerId] = [crypto.randomUUID(), crypto.randomUUID()];
						const createdAt = 1_700_000_000_000 + at * 60_000;
						transaction.objectStore('threads').put({
							id: threadId,
							title: `Conversation ${at}`,
							titleSource: 'person',
							createdAt,
							updatedAt: createdAt,
							leafId: answerId,
							lastSeq: 2,
							folderId: null,
							tags: [],
							pinned: at % 1_000 === 0 ? 1 : 0,
							archived: 0,
							stats: { turns: 1, totalTokens: 0, costUsd: 0 },
							scopeOrigins: [],
							stamps: {}
						});
						const place = { threadId, ts: createdAt, segmentId: questionId };
						const stamp = (step: number) => `${String(at).padStart(9, '0')}-000${step}-00000000000000ee`;
						const content = [{ type: 'text', text: `Message of ${at}` }];
						transaction.objectStore('nodes').put({
							...place,
							id: questionId,
							parentId: null,
							seq: 1,
							depth: 0,
							ord: stamp(0),
							forkSegmentId: 'root',
							type: 'user_message',
							payload: { content }
						});
						transaction.objectStore('nodes').put({
							...place,
							id: answerId,
							parentId: questionId,
							seq: 2,
							depth: 1,
							ord: stamp(1),
							type: 'assistant_message',
							payload: { content, model: 'guide', connectionId: 'guide', status: 'complete' }
						});
					}
					transaction.oncomplete = () => resolve(opening.result.close());
					transaction.onabort = () => reject(new Error(String(transaction.error)));
				};
			}),
		conversations
	);
	await page.reload();
	const list = page.getByRole('navigation', { name: 'Conversations' });
	const items = list.getByRole('link');
	const item = (number: number) => list.getByRole('link', { name: `Conversation ${number}`, exact: true });
	await expect(item(0)).toBeVisible();
	await expect(item(4_999)).toBeVisible();
	const most = { items: 0 };
	// To the very end of the list, as a person scrolls there.
	await expect
		.poll(
			async () => {
				await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
				most.items = Math.max(most.items, await items.count());
				return item(1).isVisible();
			},
			{ intervals: [50], timeout: 60_000 }
		)
		.toBe(true);

	expect(most.items).toBeLessThan(100);
	const reads = await page.evaluate(() => (globalThis as unknown as { reads: Record<string, number> }).reads);
	expect(reads['threads']).toBeGreaterThan(0);
	expect(reads['nodes'] ?? 0, JSON.stringify(reads)).toBe(0);
	// By keyboard: what has the focus is in the page and in view, however far one goes.
	await item(1).focus();
	for (let step = 0; step < 60; step++) await page.keyboard.press('Shift+Tab');
	await expect(page.locator(':focus')).toHaveAccessibleName('Conversation 31');
	await expect(page.locator(':focus')).toBeInViewport();
	// What is found there opens.
	await list.evaluate((element) => (element.scrollTop = element.scrollHeight));
	await item(1).click();
	await expect(app.answers).toContainText('Message of 1');
	expect(await page.evaluate(() => (globalThis as unknown as { reads: Record<string, number> }).reads['nodes'])).toBeGreaterThan(0);
});
