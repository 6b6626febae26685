// A key never leaves its place: searched for everywhere after a journey with errors.
import { expect, test } from './test.ts';

const canary = 'sk-canary-7f3a91c2d4';

test('E2E-80 the key is in no table, no storage, no page state and no error; only the endpoint gets it', async ({ app, page, models }) => {
	await app.connect(`${models.url}/openai/v1`, '401:times=1', { key: canary });
	await app.open();
	await app.askAndWait('with a key');
	await expect(app.answers.last()).toContainText('key was refused');
	await app.answers.last().getByRole('button', { name: 'Try again' }).click();
	await app.settled();
	const where = await page.evaluate(async (needle) => {
		const found: string[] = [];
		const opening = indexedDB.open('bough');
		const database = await new Promise<IDBDatabase>((resolve, reject) => {
			opening.onsuccess = () => resolve(opening.result);
			opening.onerror = () => reject(new Error('no database'));
		});
		const bytesOf = (value: unknown): string =>
			JSON.stringify(value, (_key, inner: unknown) =>
				inner instanceof ArrayBuffer || ArrayBuffer.isView(inner) ? new TextDecoder().decode(inner) : inner
			);
		for (const name of database.objectStoreNames) {
			const request = database.transaction(name).objectStore(name).getAll();
			await new Promise((resolve) => (request.onsuccess = resolve));
			if (bytesOf(request.result)?.includes(needle)) found.push(`table ${name}`);
		}
		database.close();
		if (JSON.stringify({ ...localStorage }).includes(needle)) found.push('localStorage');
		if (JSON.stringify({ ...sessionStorage }).includes(needle)) found.push('sessionStorage');
		if (document.documentElement.outerHTML.includes(needle)) found.push('the page');
		for (const input of document.querySelectorAll('input')) if (input.value.includes(needle)) found.push('a field');
		for (const key of await caches.keys()) {
			for (const request of await (await caches.open(key)).keys()) if (request.url.includes(needle)) found.push('a cache');
		}
		return found;
	}, canary);
	expect(where).toEqual([]);
	const posts = models.requests.filter((request) => request.method === 'POST');
	expect(posts.length).toBeGreaterThan(1);
	for (const request of posts) {
		expect(request.headers['authorization']).toBe(`Bearer ${canary}`);
		expect(request.path).not.toContain(canary);
	}
});

test('E2E-81 a key is not sent to another address than the one it was entered for', async ({ app, page, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'echo', { key: canary });
	await page.getByRole('button', { name: 'Change' }).click();
	const moved = models.url.replace('127.0.0.1', 'localhost');
	await page.getByLabel('Base URL').fill(`${moved}/openai/v1`);
	await page.getByRole('button', { name: 'Test', exact: true }).click();
	await expect(page.getByText(/Works: echo/)).toBeVisible();
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await expect(page.getByText('no key')).toBeVisible();
	await app.open();
	await app.askAndWait('without a key');
	const sent = models.requests.filter((request) => String(request.headers['host']).startsWith('localhost'));
	expect(sent.length).toBeGreaterThan(1);
	expect(sent.filter((request) => request.headers['authorization'] !== undefined)).toEqual([]);
});
