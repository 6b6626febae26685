// Killed at random points of a run: the page closed, the worker ended, the whole browser killed with SIGKILL. After each
// death: nothing acknowledged is lost, nothing is there twice, no run hangs, the tree is whole.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { App } from './app.ts';
import { KillableBrowser } from './killable-browser.ts';
import { readTree, treeFaults } from './read-tree.ts';
import { expect, test } from './test.ts';

const kills = Number(process.env['KILLS'] ?? 50);
const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 1_000_000));
/** So many questions in one thread, then a new one. */
const questionsInThread = 12;

type Death = 'close the page' | 'end the worker' | 'SIGKILL the browser';
const deaths: readonly Death[] = ['close the page', 'end the worker', 'SIGKILL the browser'];

test(`E2E-60 @chromium ${kills} deaths at random points of a run`, async ({ models, baseURL }) => {
	test.setTimeout(60_000 + kills * 20_000);
	console.log(`KILL_SEED=${seed} KILLS=${kills}`);
	const random = seededRandom(seed);
	const browser = new KillableBrowser(await mkdtemp(join(tmpdir(), 'bough-kill-')));
	const acknowledged: string[] = [];
	const counts: Record<Death, number> = { 'close the page': 0, 'end the worker': 0, 'SIGKILL the browser': 0 };
	let page = await browser.page();
	let app = new App(page, baseURL);
	/** Null: the next question begins a thread. */
	let thread: string | null = null;
	await app.connect(`${models.url}/openai/v1`, 'story:words=150,ms=12');

	for (let round = 0; round < kills; round++) {
		const question = `question ${round} of seed ${seed}`;
		if (round % questionsInThread === 0) thread = null;
		await page.goto(thread ?? `${baseURL}/`);
		await expect(app.composer).toBeVisible();
		if (thread !== null) await app.settled();
		await app.composer.fill(question);
		await app.composer.press('Enter');
		// From before the receipt to after the end of the answer.
		const waitMs = Math.floor(random() * 3_000);
		const seen = await Promise.race([
			page
				.locator('article.question .bubble', { hasText: question })
				.waitFor({ timeout: waitMs + 1 })
				.then(
					() => true,
					() => false
				),
			page.waitForTimeout(waitMs).then(() => false)
		]);
		if (seen) {
			acknowledged.push(question);
			await page.waitForTimeout(Math.floor(random() * waitMs));
		}
		const death = deaths[Math.floor(random() * deaths.length)] ?? 'close the page';
		counts[death]++;
		if (death === 'end the worker')
			await page
				.workers()[0]
				?.evaluate(() => self.close())
				.catch(() => undefined);
		else if (death === 'close the page') await page.close();
		else await browser.kill();

		if (death !== 'end the worker') page = await browser.page();
		app = new App(page, baseURL);
		await page.goto(`${baseURL}/`);
		await expect(app.composer).toBeVisible();
		// Recovery has nothing left to do: no run is at work for ever.
		await expect.poll(async () => (await readTree(page)).activeRuns, { timeout: 30_000, message: `round ${round}, ${death}` }).toEqual([]);
		const tree = await readTree(page);
		expect(treeFaults(tree), `round ${round}, ${death}`).toEqual([]);
		const asked = tree.nodes.filter((node) => node.type === 'user_message').map((node) => node.text);
		expect(asked.length, `round ${round}, ${death}: nothing twice`).toBe(new Set(asked).size);
		expect(
			acknowledged.filter((text) => !asked.includes(text)),
			`round ${round}, ${death}: nothing acknowledged is lost`
		).toEqual([]);
		// What was not acknowledged is in the tree or still in the composer, never nowhere. Not after SIGKILL: a browser writes
		// localStorage out some seconds late, and what was typed within them is its own to lose.
		if (death !== 'SIGKILL the browser') {
			const drafts = await page.evaluate(() => Object.values({ ...localStorage }).map(String));
			expect(
				asked.includes(question) || drafts.some((draft) => draft.includes(question)),
				`round ${round}, ${death}: the words are somewhere`
			).toBe(true);
		}
		await page.evaluate(() =>
			Object.keys(localStorage)
				.filter((key) => key.startsWith('bough.draft.'))
				.forEach((key) => localStorage.removeItem(key))
		);
		const threadOfQuestion = tree.nodes.find((node) => node.text === question)?.threadId;
		if (threadOfQuestion !== undefined) thread = `${baseURL}/t/${threadOfQuestion}`;
	}
	console.log(JSON.stringify({ seed, kills, counts, acknowledged: acknowledged.length }));
	await browser.kill();
});
