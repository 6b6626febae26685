// The back/forward cache: a page that comes back as it was left, with its database and its engine closed meanwhile.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from './app.ts';
import { KillableBrowser } from './killable-browser.ts';
import { expect, test } from './test.ts';

test('E2E-38 @chromium a page that comes back from the back/forward cache reads, shows and answers as before', async ({ baseURL }) => {
	const profile = await mkdtemp(join(tmpdir(), 'bough-back-'));
	// A browser of its own: one that a test drives directly has that cache turned off.
	const browser = new KillableBrowser(profile);
	try {
		const page = await browser.page();
		const app = new App(page, baseURL);
		await page.goto(`${baseURL}/`);
		await app.askAndWait('What is Bough?');
		await page.evaluate(() => {
			Object.assign(globalThis, { cameBack: 0 });
			addEventListener('pageshow', (event) => event.persisted && Object.assign(globalThis, { cameBack: 1 }));
		});
		await page.goto(`${baseURL}/api/health`);
		await page.evaluate(() => history.back());
		await expect.poll(() => page.evaluate(() => (globalThis as { cameBack?: number }).cameBack).catch(() => null)).toBe(1);
		await expect(app.answers).toHaveCount(1);
		await app.askAndWait('How do I edit a question?');
		await expect(app.answers).toHaveCount(2);
		await app.edit(app.questions.first(), 'What is a branch?');
		await app.settled();
		await expect(app.place(app.questions.first())).toHaveText('2/2');
	} finally {
		await browser.kill();
		await rm(profile, { recursive: true, force: true });
	}
});
