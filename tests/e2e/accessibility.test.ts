// For everyone: keyboard, screen reader, input methods, small screens, both languages, both themes.
import { expect, test } from './test.ts';
import { violations } from './violations.ts';

for (const colorScheme of ['light', 'dark'] as const) {
	for (const locale of ['en-US', 'zh-CN']) {
		test.describe(`${colorScheme} ${locale}`, () => {
			test.use({ colorScheme, locale });
			test(`E2E-70 no violations on any screen (${colorScheme}, ${locale})`, async ({ app, page, models }) => {
				const found: Record<string, string[]> = {};
				const look = async (name: string) => {
					const list = await violations(page);
					if (list.length > 0) found[name] = list;
				};
				await app.open();
				await look('start');
				await app.askAndWait('/demo markdown');
				await look('thread');
				await page.locator('.model-trigger').click();
				await expect(page.getByRole('option').first()).toBeVisible();
				await look('model list');
				await page.keyboard.press('Escape');
				await app.questions.first().hover();
				await app.questions.first().locator('.actions button').nth(1).click();
				await expect(app.questions.first().locator('textarea')).toBeFocused();
				await look('editing');
				await page.keyboard.press('Escape');
				await app.answers.first().locator('.actions button').last().click();
				await look('menu');
				await page.keyboard.press('Escape');
				await page.locator('nav li').first().hover();
				await page.locator('nav li button').first().click();
				await page.getByRole('menuitem').last().click();
				await expect(page.getByRole('dialog')).toBeVisible();
				await look('confirm');
				await page.keyboard.press('Escape');
				for (const section of ['connections#add', 'data', 'appearance', 'about']) {
					await page.goto(`/settings/${section}`);
					await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
					await look(section);
				}
				expect(found).toEqual({});
				expect(models.requests).toEqual([]);
			});
		});
	}
}

test('E2E-71 the whole job by keyboard alone, with the focus never lost', async ({ app, page, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.open();
	await expect(app.composer).toBeFocused();
	await page.keyboard.type('by keyboard');
	await page.keyboard.press('Enter');
	await expect(app.answers).toHaveCount(1);
	await app.settled();
	await expect(app.composer).toBeFocused();
	const focused = () => page.evaluate(() => document.activeElement?.tagName ?? 'NONE');
	// Backwards out of the composer into the newest message.
	await app.answers.last().focus();
	await page.keyboard.press('k');
	await expect(app.questions.last()).toBeFocused();
	await page.keyboard.press('e');
	await expect(app.questions.last().locator('textarea')).toBeFocused();
	await page.keyboard.press('Control+A');
	await page.keyboard.type('by keyboard, again');
	await page.keyboard.press('Control+Enter');
	await expect(app.place(app.questions.last())).toHaveText('2/2');
	await app.settled();
	await app.questions.last().focus();
	await page.keyboard.press('[');
	await expect(app.place(app.questions.last())).toHaveText('1/2');
	// The focus stays on the button that was used, so that one can go on.
	await expect(app.step(app.questions.last(), -1)).toBeFocused();
	await page.keyboard.press(']');
	await expect(app.place(app.questions.last())).toHaveText('2/2');
	expect(await focused()).toBe('BUTTON');
	await page.keyboard.press('Control+Shift+O');
	await expect(page).toHaveURL(/\/$/);
	await expect(app.composer).toBeFocused();
});

test('E2E-72 @chromium an input method: Enter that picks a word never sends, in Chromium and in the order of Safari', async ({
	app,
	page,
	models
}) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.open();
	await app.composer.focus();
	const devtools = await page.context().newCDPSession(page);
	for (const text of ['n', 'ni', 'nih', 'niha', 'nihao']) {
		await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
	}
	await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229 });
	await expect(page).toHaveURL(/\/$/);
	await devtools.send('Input.insertText', { text: '你好' });
	await expect(app.composer).toHaveValue('你好');
	// Safari ends the composition first and then sends the key.
	await app.composer.evaluate((field) => {
		field.dispatchEvent(new CompositionEvent('compositionend', { data: '你好' }));
		field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }));
	});
	await expect(page).toHaveURL(/\/$/);
	await expect(app.composer).toHaveValue('你好');
	await page.keyboard.press('Enter');
	await expect(app.questions.last()).toContainText('你好');
	await expect(app.answers.last()).toContainText('Echo: 你好');
});

test('E2E-73 an answer is announced when it begins and when it is there, and not word by word', async ({ app, page, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'story:words=80,ms=15');
	await app.open();
	await app.askAndWait('begin');
	await page.evaluate(() => {
		const status = document.querySelector('.thread > [role=status]');
		const said: string[] = [];
		Object.assign(globalThis, { said });
		if (status)
			new MutationObserver(() => said.push(status.textContent ?? '')).observe(status, {
				childList: true,
				characterData: true,
				subtree: true
			});
	});
	await app.askAndWait('and more');
	const said = await page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
	expect(said).toEqual(['Answering…', 'Answer ready.']);
	await expect(page.locator('[role=log]')).toHaveAttribute('aria-live', 'off');
});

for (const locale of ['en-US', 'zh-CN']) {
	test.describe(`320 pixels, ${locale}`, () => {
		test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, locale });
		test(`E2E-74 nothing is wider than a narrow screen (${locale})`, async ({ app, page }) => {
			const tooWide = () =>
				page.evaluate(() =>
					[...document.querySelectorAll('body *')]
						.filter(
							(element) => element.closest('pre, table, div[tabindex="0"], .visually-hidden, nav a, header, #svelte-announcer') === null
						)
						.filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== 'visible')
						.filter((element) => element.clientWidth > 0)
						.map((element) => `${element.tagName}.${element.className}`)
				);
			const isWithin = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
			await app.open();
			expect(await isWithin()).toBe(true);
			expect(await tooWide()).toEqual([]);
			await app.composer.fill('/demo markdown');
			await page.locator('.send').click();
			await expect(app.answers).toHaveCount(1);
			await app.settled();
			expect(await isWithin()).toBe(true);
			expect(await tooWide()).toEqual([]);
			for (const section of ['connections#add', 'data', 'appearance', 'about']) {
				await page.goto(`/settings/${section}`);
				await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
				expect(await isWithin(), section).toBe(true);
				expect(await tooWide(), section).toEqual([]);
			}
		});
	});
}

test('E2E-75 the language changes at once, without a reload, and the draft stays', async ({ app, page }) => {
	await app.open();
	await app.composer.fill('a draft');
	await page.getByRole('link', { name: 'Settings', exact: true }).click();
	await page.getByRole('link', { name: 'Appearance' }).click();
	await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
	await page.getByLabel('简体中文').check();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('设置');
	await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
	await page.getByRole('link', { name: '新对话' }).click();
	await expect(app.composer).toHaveValue('a draft');
	expect(await page.evaluate(() => 'isSamePage' in globalThis)).toBe(true);
	await page.reload();
	await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
});
