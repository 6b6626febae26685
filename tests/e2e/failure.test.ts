// Failure is part of the job: each trouble has words that say what to do, nothing is lost, and Retry works.
import { expect, test } from './test.ts';

const troubles: readonly { readonly name: string; readonly model: string; readonly says: RegExp; readonly keepsText?: boolean }[] = [
	{ name: '401', model: '401:times=1', says: /key was refused/ },
	{ name: '404 model', model: '404-model:times=1', says: /does not know this model/ },
	{ name: '429 with retry-after', model: '429:times=1,retry=7', says: /try again in 7 s/ },
	{ name: '500', model: '500:times=1', says: /trouble of its own/ },
	{ name: 'used-up quota', model: 'quota:times=1', says: /quota or credit is used up/ },
	{ name: 'too long a conversation', model: 'context-too-long:times=1', says: /too long for this model/ },
	{ name: 'no event stream', model: 'html:times=1', says: /no answer of a model/ },
	{ name: 'an empty answer', model: 'empty:times=1', says: /without a word/ },
	// Slow enough to be read: what a dead line had not handed over yet, the browser throws away.
	{ name: 'a cut stream', model: 'cut:times=1,ms=60', says: /broke off in the middle/, keepsText: true },
	{ name: 'a malformed event', model: 'malformed:times=1', says: /no answer of a model|broke off/, keepsText: true },
	{ name: 'an error event', model: 'error-in-stream:times=1', says: /broke the answer off/, keepsText: true },
	{ name: 'silence', model: 'silent:times=1', says: /went silent/, keepsText: true },
	{ name: 'no first byte', model: 'never-first-byte:times=1', says: /went silent/ }
];

for (const { name, model, says, keepsText } of troubles) {
	test(`E2E-20 ${name}: says what to do, keeps what there is, and Retry works`, async ({ app, page, models }) => {
		await app.connect(`${models.url}/openai/v1`, model, { key: 'sk-test-key', silenceSeconds: 2 });
		await app.open();
		await app.askAndWait('Will this work?');
		await expect(app.answers.last()).toContainText(says);
		if (keepsText) expect((await app.answers.last().locator('.markdown').innerText()).length).toBeGreaterThan(10);
		// It is there after a reload too, with the question.
		await page.reload();
		await expect(app.answers.last()).toContainText(says);
		await expect(app.questions).toContainText(['Will this work?']);
		await app.answers.last().getByRole('button', { name: 'Try again' }).click();
		await app.settled();
		await expect(app.answers.last().locator('.markdown')).not.toBeEmpty();
		await expect(app.answers.last()).not.toContainText(says);
		await expect(app.composer).toBeEnabled();
	});
}

test('E2E-21 nothing listens there: unreachable, and the connection can be mended', async ({ app, page }) => {
	await app.connect('http://127.0.0.1:9/v1', 'any');
	await app.open();
	await app.askAndWait('Anyone?');
	await expect(app.answers.last()).toContainText('Nothing answers at that address');
	await app.answers.last().getByRole('link', { name: 'Connections' }).click();
	await expect(page).toHaveURL(/settings\/connections/);
});

test('E2E-22 the Test button says which step failed and why', async ({ app, page, models }) => {
	await app.open('/settings/connections');
	await page.getByRole('button', { name: 'Add a connection' }).click();
	const tryAddress = async (baseUrl: string, model: string) => {
		await page.getByLabel('Base URL').fill(baseUrl);
		await page.getByLabel('Model', { exact: true }).fill(model);
		await page.getByRole('button', { name: 'Test', exact: true }).click();
		await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeEnabled({ timeout: 30_000 });
	};
	const form = page.locator('form.form');
	await tryAddress('http://127.0.0.1:9/v1', '');
	await expect(form).toContainText('Nothing answers at that address');
	await tryAddress(`${models.url}/no-cors/openai/v1`, '');
	await expect(form).toContainText('CORS');
	await tryAddress(`${models.url}/key-right/openai/v1`, '');
	await expect(form).toContainText(/needs a key|key was refused/);
	await tryAddress(`${models.url}/openai/v1`, '404-model');
	await expect(form).toContainText('asking for a word failed');
	await expect(form).toContainText('does not know this model');
	await tryAddress(`${models.url}/openai/v1`, '');
	await expect(form).toContainText('Works: echo answered');
	await expect(page.getByLabel('Model', { exact: true })).toHaveValue('echo');
});

test('E2E-23 @chromium the engine worker dies: the tab says so and goes on with one press', async ({ app, page, problems, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'story:words=400,ms=30');
	await app.open();
	await app.ask('A long one');
	await expect(app.answers.last().locator('.markdown')).toContainText(/\w+ \w+/);
	// An error that nobody catches is what a bug would be.
	await page
		.workers()[0]
		?.evaluate(() => {
			setTimeout(() => {
				throw new Error('planted');
			});
		})
		.catch(() => undefined);
	await expect(page.getByRole('alert').first()).toContainText('The engine stopped');
	await page.getByRole('button', { name: 'Try again' }).first().click();
	await app.settled();
	await expect(app.answers.last()).toContainText(/Interrupted|What had arrived was kept/);
	problems.length = 0;
});

test('E2E-24 hostile Markdown of a model runs nothing and loads nothing', async ({ app, page, problems, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.open();
	const hostile =
		'<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>[a](javascript:window.hacked=3) ![b](http://127.0.0.1:9/pixel.png) <iframe srcdoc="<script>parent.hacked=4</script>">';
	const requests: string[] = [];
	page.on('request', (request) => requests.push(request.url()));
	await app.askAndWait(hostile);
	await expect(app.answers.last()).toContainText('Echo');
	// The sanitiser's parser meets the handler, and the policy forbids it besides.
	problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('inline event handler')));
	expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
	expect(requests.filter((url) => url.includes('pixel.png'))).toEqual([]);
	expect(await app.answers.last().locator('script, iframe, [onerror]').count()).toBe(0);
});

test('E2E-29 @chromium the engine worker ends without a word: the tab notices, starts another, and goes on in place', async ({
	app,
	page,
	models
}) => {
	await app.connect(`${models.url}/openai/v1`, 'story:words=500,ms=20');
	await app.open();
	await app.ask('A long one');
	await expect(app.answers.last().locator('.markdown')).toContainText(/\w+ \w+ \w+/);
	await page.waitForTimeout(1_000);
	await page
		.workers()[0]
		?.evaluate(() => self.close())
		.catch(() => undefined);
	await app.settled();
	await expect(app.answers.last()).toContainText('What had arrived was kept');
	await app.answers.last().getByRole('button', { name: 'Continue' }).click();
	await expect(app.stopButton).toBeVisible();
	await app.stopButton.click();
	await app.settled();
	await expect(app.answers).toHaveCount(1);
});
