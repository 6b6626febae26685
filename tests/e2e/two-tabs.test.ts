// Two tabs on one database: one engine leads, both show the same tree, and the other takes over when the leader dies.
import { App } from './app.ts';
import { expect, test } from './test.ts';

/** Both tabs come to the same branch, word for word. */
async function showTheSame(first: App, second: App): Promise<void> {
	await expect(async () => expect(await second.texts()).toEqual(await first.texts())).toPass({ timeout: 15_000 });
}

test('E2E-50 sends from both tabs land in one tree, and both show it', async ({ app, page, context, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.open();
	await app.askAndWait('from the first');
	const secondPage = await context.newPage();
	const second = new App(secondPage);
	await second.open(page.url());
	await expect(second.answers).toHaveCount(1);
	await second.askAndWait('from the second');
	await expect(app.answers).toHaveCount(2);
	await app.askAndWait('and the first again');
	await expect(second.answers).toHaveCount(3);
	await showTheSame(app, second);
	// A branch chosen in one is chosen in the other: the cursor is the thread's.
	await app.edit(app.questions.nth(1), 'from the second, reworded');
	await app.settled();
	await expect(second.place(second.questions.nth(1))).toHaveText('2/2');
	await second.step(second.questions.nth(1), -1).click();
	await expect(app.place(app.questions.nth(1))).toHaveText('1/2');
	await expect(app.questions).toHaveCount(3);
});

test('E2E-51 both press Enter at once: nothing is lost, nothing comes twice', async ({ app, page, context, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.open();
	await app.askAndWait('begin');
	const secondPage = await context.newPage();
	const second = new App(secondPage);
	await second.open(page.url());
	await expect(second.answers).toHaveCount(1);
	await app.composer.fill('left');
	await second.composer.fill('right');
	await Promise.all([app.composer.press('Enter'), second.composer.press('Enter')]);
	await expect(app.questions).not.toHaveCount(1);
	await app.settled();
	// One may have been refused while the other's answer came: its words are still in its composer.
	const kept = [await app.composer.inputValue(), await second.composer.inputValue()].filter((text) => text !== '');
	const asked = await app.page.locator('.bubble').allInnerTexts();
	expect([...asked.slice(1), ...kept].sort()).toEqual(['left', 'right']);
	await showTheSame(app, second);
});

test('E2E-52 the leading tab is closed in the middle of an answer: the other shows what had arrived and goes on', async ({
	app,
	page,
	context,
	models
}) => {
	await app.connect(`${models.url}/openai/v1`, 'story:words=600,ms=25');
	await app.open();
	await app.ask('a long one');
	await expect(app.answers.last().locator('.markdown')).toContainText(/\w+ \w+ \w+/);
	const secondPage = await context.newPage();
	const second = new App(secondPage);
	await second.open(page.url());
	// The second tab sees the stream of the first one's engine.
	await expect(second.answers.last().locator('.markdown')).toContainText(/\w+ \w+ \w+/);
	await secondPage.waitForTimeout(2_000); // a checkpoint is at most 1.5 s old by now
	await page.close();
	await second.settled();
	await expect(second.answers.last()).toContainText('Interrupted');
	expect((await second.answers.last().locator('.markdown').innerText()).length).toBeGreaterThan(20);
	await second.answers.last().getByRole('button', { name: 'Continue' }).click();
	await expect(second.stopButton).toBeVisible();
	await second.stopButton.click();
	await second.settled();
	await expect(second.answers).toHaveCount(1);
});
