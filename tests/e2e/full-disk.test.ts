// A disk that is really full: a small file system of the test's own, filled up while an answer streams.
import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from './app.ts';
import { KillableBrowser } from './killable-browser.ts';
import { readTree } from './read-tree.ts';
import { expect, test as base } from './test.ts';

interface SmallDisk {
	readonly browser: KillableBrowser;
	/** Leaves not a byte free; answers the way back. */
	fill(): Promise<() => Promise<void>>;
	/** Names the directory of the site's database: another one, once the browser has thrown it away. */
	databaseInode(): Promise<number | null>;
}

const test = base.extend<{ disk: SmallDisk }>({
	disk: async ({}, use, info) => {
		const root = await mkdtemp(join(tmpdir(), 'bough-disk-'));
		const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=60m', 'tmpfs', root]);
		if (mounted.status !== 0) await rm(root, { recursive: true });
		info.skip(mounted.status !== 0, 'a file system of its own needs the right to mount one');
		const browser = new KillableBrowser(join(root, 'profile'));
		await use({
			browser,
			async fill() {
				const filler = join(root, 'filler');
				const { bavail, bsize } = await statfs(root);
				const error: unknown = await writeFile(filler, Buffer.alloc((bavail + 1) * bsize)).catch((reason: unknown) => reason);
				expect(error).toMatchObject({ code: 'ENOSPC' });
				// The browser frees a little now and then, and what it frees is taken too.
				const refilling = setInterval(() => void appendFile(filler, Buffer.alloc(1_000_000)).catch(() => undefined), 100);
				return () => {
					clearInterval(refilling);
					return rm(filler);
				};
			},
			async databaseInode() {
				const all = join(root, 'profile', 'Default', 'IndexedDB');
				const [own] = (await readdir(all)).filter((name) => name.endsWith('.leveldb'));
				return own === undefined ? null : (await stat(join(all, own))).ino;
			}
		});
		await browser.kill();
		// Lazily: the browser's children may still be ending.
		spawnSync('umount', ['--lazy', root]);
		await rm(root, { recursive: true, force: true });
	}
});

test('E2E-35 @chromium the disk is full while an answer comes: it is said, the words stay and go on coming, and all of them are written when there is room', async ({
	disk,
	models,
	baseURL
}) => {
	test.setTimeout(180_000);
	const page = await disk.browser.page();
	const app = new App(page, baseURL);
	// What a browser grants to a site that is used or installed: without it, Chromium makes room by throwing Bough's data away.
	const devtools = await page.context().newCDPSession(page);
	await devtools.send('Browser.grantPermissions', { origin: baseURL ?? '', permissions: ['durableStorage'] });
	// Longer than what the database's log has room for by itself.
	await app.connect(`${models.url}/openai/v1`, 'story:words=3000,ms=10');
	await page.goto(`${baseURL}/`);
	await app.ask('Tell me a long story');
	await expect.poll(() => page.evaluate(() => navigator.storage.persisted())).toBe(true);
	await expect(app.answers.last()).toContainText(/\w+ \w+ \w+/);

	const inode = await disk.databaseInode();
	const makeRoom = await disk.fill();
	await expect(page.getByRole('alert').first()).toContainText('space for this site is full', { timeout: 30_000 });
	const shownThen = (await app.answers.last().innerText()).length;
	await expect.poll(async () => (await app.answers.last().innerText()).length).toBeGreaterThan(shownThen + 500);
	await expect(app.questions).toContainText(['Tell me a long story']);

	await makeRoom();
	await expect(page.getByRole('alert').filter({ hasText: 'space for this site is full' })).toHaveCount(0, { timeout: 30_000 });
	if ((await disk.databaseInode()) !== inode) {
		// Chromium makes room as it likes when there is none, also of what it has promised to keep: then the words stay on screen.
		test.info().annotations.push({ type: 'the browser has thrown the database away' });
		await expect(page.getByRole('alert')).toContainText('This conversation is no longer in the database');
		expect((await app.answers.last().innerText()).length).toBeGreaterThan(shownThen + 500);
		await expect(app.questions).toContainText(['Tell me a long story']);
		await page.getByRole('link', { name: 'New conversation' }).last().click();
		await expect(page).not.toHaveURL(/\/t\//);
		await app.askAndWait('And now?');
		return;
	}
	await expect(page.locator('[role=log]')).toHaveAttribute('aria-busy', 'false', { timeout: 60_000 });
	const shown = await app.texts();
	expect(shown.at(-1)?.split(' ').length).toBeGreaterThan(900);
	await page.reload();
	await expect(app.answers).toHaveCount(1);
	expect(await app.texts()).toEqual(shown);
	expect((await readTree(page)).activeRuns).toEqual([]);
});
