// A new version: the old one stays whole until somebody says yes, then all tabs move together, and nothing is lost.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { App, isServedOffline } from './app.ts';
import { startRelay } from './relay.ts';
import { expect, test } from './test.ts';

/** A real build of another version, in a folder of its own. */
async function buildAs(version: string): Promise<string> {
	const folder = join(await mkdtemp(join(tmpdir(), 'bough-build-')), 'build');
	await promisify(execFile)('npx', ['vite', 'build', '--logLevel', 'error'], {
		env: { ...process.env, BOUGH_VERSION: version, BOUGH_BUILD: folder }
	});
	return folder;
}

test('E2E-45 two tabs, a new version: nothing changes before the yes, then both move and keep their drafts', async ({
	page,
	context,
	problems
}) => {
	test.setTimeout(180_000);
	const folder = await buildAs('first-version');
	const relay = await startRelay(folder);
	const a = new App(page);
	await a.open(`${relay.url}/`);
	await isServedOffline(page);
	await a.askAndWait('What is Bough?');
	const thread = page.url();
	const secondPage = await context.newPage();
	const b = new App(secondPage);
	await b.open(`${relay.url}/`);
	await a.composer.fill('a draft in the thread');
	await b.composer.fill('a draft on the start page');

	const next = await buildAs('second-version');
	await rm(folder, { recursive: true });
	await cp(next, folder, { recursive: true });
	// Before anyone says yes a reload is the old version still, whole.
	await secondPage.reload();
	await expect(b.composer).toHaveValue('a draft on the start page');
	await secondPage.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration?.update()));
	await expect(page.getByText('A new version of Bough is ready.')).toBeVisible();
	const versionIn = async (at: typeof page) => {
		await at.goto(`${relay.url}/settings/about`);
		return at.getByText(/^Version/).innerText();
	};
	const moved = [page.waitForEvent('load'), secondPage.waitForEvent('load')];
	await page.getByRole('button', { name: 'Reload all tabs' }).click();
	await Promise.all(moved);
	await expect(page).toHaveURL(thread);
	await expect(a.composer).toHaveValue('a draft in the thread');
	await expect(b.composer).toHaveValue('a draft on the start page');
	await expect(a.answers).toHaveCount(1);
	await expect(page.getByText('A new version of Bough is ready.')).toBeHidden();
	expect(await versionIn(page)).toBe('Version second-version');
	expect(await versionIn(secondPage)).toBe('Version second-version');
	await relay.stop();
	problems.length = 0;
});
