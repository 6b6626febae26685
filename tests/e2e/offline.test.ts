// Offline and installed: the whole app is on the device, every deep link opens, and the browser finds nothing to object to.
import { chromium as playwrightChromium } from '@playwright/test';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumArguments, chromiumPath } from '../../scripts/browsers.mjs';
import { App, isServedOffline } from './app.ts';
import { startRelay } from './relay.ts';
import { expect, test } from './test.ts';

test('E2E-40 with the server dead and the network off: deep link, second tab, start page, and the Guide still answers', async ({
	app,
	page,
	context
}) => {
	const relay = await startRelay();
	await app.open(`${relay.url}/`);
	await isServedOffline(page);
	await app.askAndWait('What is Bough?');
	const thread = page.url();
	const before = await app.texts();
	await relay.stop();
	await context.setOffline(true);

	await page.reload();
	await expect(app.answers).toHaveCount(1);
	expect(await app.texts()).toEqual(before);
	await app.askAndWait('Does it work offline?');
	await expect(app.answers.last().locator('.markdown')).not.toBeEmpty();

	const second = await context.newPage();
	await second.goto(thread);
	await expect(second.locator('article.answer')).toHaveCount(2);
	await second.goto(`${relay.url}/settings/appearance`);
	await expect(second.getByRole('heading', { level: 1 })).toHaveText('Settings');
	await second.goto(`${relay.url}/`);
	await expect(second.locator('#composer')).toBeVisible();
});

test('E2E-41 @chromium offline is shown; a hosted model says what it needs, a server on this machine still answers', async ({
	app,
	page,
	context,
	models
}) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.connect('https://models.invalid/v1', 'far-away');
	await app.open();
	await isServedOffline(page);
	await context.setOffline(true);
	await expect(page.getByText('Offline: everything is saved here')).toBeVisible();
	await app.askAndWait('Anyone there?');
	await expect(app.answers.last()).toContainText('This device is offline');
	await expect(app.questions).toContainText(['Anyone there?']);
	await context.setOffline(false);
	await expect(page.getByText('Offline: everything is saved here')).toBeHidden();
	await page.getByRole('button', { name: /^Model: far-away/ }).click();
	await page.getByRole('option', { name: 'echo' }).click();
	await app.answers.last().getByRole('button', { name: 'Try again' }).click();
	await app.settled();
	await expect(app.answers.last()).toContainText('Echo: Anyone there?');
});

test('E2E-42 @chromium a browser that was closed and started again opens everything offline', async () => {
	const relay = await startRelay();
	const profile = await mkdtemp(join(tmpdir(), 'bough-profile-'));
	const launch = () =>
		playwrightChromium.launchPersistentContext(profile, { executablePath: chromiumPath() ?? '', args: chromiumArguments, locale: 'en-US' });
	let context = await launch();
	let page = context.pages()[0] ?? (await context.newPage());
	let app = new App(page);
	await app.open(`${relay.url}/`);
	await isServedOffline(page);
	await app.askAndWait('What is Bough?');
	const thread = page.url();
	const before = await app.texts();

	// The browser's own judgement on the manifest and on installing.
	const devtools = await context.newCDPSession(page);
	const manifest = (await devtools.send('Page.getAppManifest')) as { errors: unknown[]; url: string };
	expect(manifest.errors).toEqual([]);
	expect(manifest.url).toMatch(/manifest\.webmanifest$/);
	const { installabilityErrors } = (await devtools.send('Page.getInstallabilityErrors')) as { installabilityErrors: { errorId: string }[] };
	expect(installabilityErrors).toEqual([]);

	await context.close();
	await relay.stop();
	context = await launch();
	page = context.pages()[0] ?? (await context.newPage());
	app = new App(page);
	await context.setOffline(true);
	await page.goto(thread);
	await expect(app.answers).toHaveCount(1);
	expect(await app.texts()).toEqual(before);
	await context.close();
});
