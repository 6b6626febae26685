// The database in trouble: said in words, nothing taken for empty, nothing lost.
import { expect, test } from './test.ts';

test('E2E-25 a newer version in another tab: this one is asked to reload, and everything is saved', async ({
	app,
	page,
	context,
	problems
}) => {
	await app.open();
	await app.askAndWait('What is Bough?');
	await app.composer.fill('half a thought');
	const before = await app.texts();
	// What a newer Bough would do: open the database at a higher version.
	const newer = await context.newPage();
	await newer.goto('/favicon.svg');
	await newer.evaluate(
		() =>
			new Promise<void>((resolve, reject) => {
				const opening = indexedDB.open('bough', 20);
				opening.onsuccess = () => resolve(opening.result.close());
				opening.onerror = () => reject(new Error(String(opening.error)));
			})
	);
	await expect(page.getByRole('alert').first()).toContainText('A newer version of Bough is open in another tab');
	await expect(page.getByRole('button', { name: 'Reload all tabs' })).toBeVisible();
	// What was on screen stays readable.
	expect(await app.texts()).toEqual(before);
	await expect(app.composer).toHaveValue('half a thought');
	// This old version does not touch what the newer one has made.
	await page.reload();
	await expect(page.getByRole('alert').first()).toContainText('A newer version of Bough');
	const stored = await newer.evaluate(
		() =>
			new Promise<number>((resolve, reject) => {
				const opening = indexedDB.open('bough');
				opening.onsuccess = () => {
					const counting = opening.result.transaction('nodes').objectStore('nodes').count();
					counting.onsuccess = () => resolve(counting.result);
				};
				opening.onerror = () => reject(new Error(String(opening.error)));
			})
	);
	expect(stored).toBe(3);
	problems.length = 0;
});

test('E2E-26 an older tab that does not let go: this one says so, and goes on by itself when it does', async ({ app, page, context }) => {
	// An old tab, with a connection that ignores being asked to close.
	const old = await context.newPage();
	await old.goto('/favicon.svg');
	await old.evaluate(
		() =>
			new Promise<void>((resolve) => {
				const opening = indexedDB.open('bough', 1);
				opening.onupgradeneeded = () => opening.result.createObjectStore('of an older version');
				opening.onsuccess = () => {
					Object.assign(globalThis, { kept: opening.result });
					resolve();
				};
			})
	);
	await page.goto('/');
	await expect(page.getByRole('alert').first()).toContainText('Another tab with an older version of Bough keeps the database');
	await old.close();
	await expect(page.getByRole('alert')).toHaveCount(0);
	await app.askAndWait('What is Bough?');
	await expect(app.answers).toHaveCount(1);
});

test('E2E-27 @chromium a browser that lets the site keep nothing: said at once, with what to do', async ({ app, page, problems }) => {
	await page.addInitScript(() => {
		IDBFactory.prototype.open = () => {
			throw new DOMException('The operation is insecure.', 'SecurityError');
		};
	});
	// In the engine's worker too, where no init script reaches.
	await page.route('**/workers/engine.worker-*.js', async (route) => {
		const response = await route.fetch();
		const forbid = 'IDBFactory.prototype.open = () => { throw new DOMException("The operation is insecure.", "SecurityError"); };';
		await route.fulfill({ response, body: `${forbid}\n${await response.text()}` });
	});
	await page.goto('/');
	await expect(page.getByRole('alert').first()).toContainText('does not let the site keep data');
	await app.composer.fill('my words');
	await app.composer.press('Enter');
	await expect(app.composer).toHaveValue('my words');
	await page.unrouteAll({ behavior: 'ignoreErrors' });
	problems.length = 0;
});

test('E2E-28 @chromium the device is full: said with what to do, the words stay, and it works as soon as there is room', async ({
	app,
	page,
	baseURL,
	problems
}) => {
	// Set before the app ever ran: later the browser remembers for a while how much room there was. From a page that stays.
	const keeper = await page.context().newPage();
	await keeper.goto('/favicon.svg');
	const devtools = await page.context().newCDPSession(keeper);
	await devtools.send('Storage.overrideQuotaForOrigin', { origin: baseURL ?? '', quotaSize: 1 });
	await page.goto('/');
	await expect(page.getByText(/space for this site is full/).first()).toBeVisible();
	await app.composer.fill('What is Bough?');
	await app.composer.press('Enter');
	await expect(app.composer).toHaveValue('What is Bough?');
	await devtools.send('Storage.overrideQuotaForOrigin', { origin: baseURL ?? '' });
	await page.reload();
	await expect(page.getByText(/space for this site is full/)).toHaveCount(0, { timeout: 30_000 });
	await expect(app.composer).toHaveValue('What is Bough?');
	await app.composer.press('Enter');
	await expect(app.questions).toContainText(['What is Bough?'], { timeout: 30_000 });
	await app.settled();
	await expect(app.answers).toHaveCount(1);
	problems.length = 0;
});

test('E2E-36 @chromium the site data is cleared while an answer comes: Bough begins anew by itself, and does not work on for nothing', async ({
	app,
	page,
	context,
	models,
	baseURL
}) => {
	await app.connect(`${models.url}/openai/v1`, 'story:words=100,ms=15');
	await page.goto('/');
	await app.askAndWait('Tell me 1');
	await app.askAndWait('Tell me 2');
	await app.ask('Tell me 3');
	await expect(app.answers.nth(2)).toContainText(/\w+ \w+/);
	const devtools = await context.newCDPSession(page);
	await devtools.send('Storage.clearDataForOrigin', { origin: baseURL ?? '', storageTypes: 'indexeddb' });
	// What was on screen stays there, to be copied.
	await expect(page.getByRole('alert')).toContainText('This conversation is no longer in the database');
	await expect(app.answers).toHaveCount(3);
	await page.getByRole('link', { name: 'New conversation' }).last().click();
	await expect(page).not.toHaveURL(/\/t\//);
	await app.askAndWait('What is Bough?');
	await expect(app.answers).toHaveCount(1);
	// The change feed's reader would run after numbers that no longer exist, without a pause.
	const writesInThreeSeconds = await page.workers()[0]?.evaluate(
		() =>
			new Promise<number>((resolve) => {
				let writes = 0;
				const { put } = IDBObjectStore.prototype;
				IDBObjectStore.prototype.put = function (...row) {
					writes++;
					return put.apply(this, row);
				};
				setTimeout(() => resolve(writes), 3_000);
			})
	);
	expect(writesInThreeSeconds).toBeLessThan(20);
});
