// `npm run pictures`: takes the README's pictures from the running app. Run by hand when the screens change; the pictures are
// kept in docs/pictures.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import { chromiumArguments, chromiumPath } from './browsers.mjs';
import { buildIfStale } from './build-if-stale.mjs';

buildIfStale();
const port = 20_000 + Math.floor(Math.random() * 20_000);
const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/relay/main.ts'], {
	env: { ...process.env, PORT: String(port) },
	stdio: ['ignore', 'pipe', 'inherit']
});
await new Promise((resolve) => server.stdout.once('data', resolve));
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });

const settled = (page) =>
	page.waitForFunction(() => document.querySelector('article.answer') && !document.querySelector('[aria-busy=true]'));

/** A new version of the question at `index`, counted from the last one: -1. */
async function editQuestion(page, index, text) {
	const questions = page.locator('article.question');
	const question = questions.nth((await questions.count()) + index);
	await question.hover();
	await question.locator('.buttons button').nth(1).click();
	await question.locator('textarea').fill(text);
	await question.locator('button.primary').click();
	await page.waitForSelector('article.question .versions');
	await settled(page);
}

async function picture(name, { width, height, locale, colorScheme, questions, edit, isPhone, then }) {
	const context = await browser.newContext({
		viewport: { width, height },
		locale,
		colorScheme,
		deviceScaleFactor: isPhone ? 2 : 1,
		hasTouch: isPhone,
		isMobile: isPhone
	});
	const page = await context.newPage();
	await page.goto(`http://localhost:${port}/`);
	for (const question of questions) {
		await page.waitForSelector('#composer');
		await page.fill('#composer', question);
		await page.click('.send');
		await page.waitForURL('**/t/**');
		await page.waitForFunction((text) => [...document.querySelectorAll('article.question')].at(-1)?.textContent?.includes(text), question);
		await settled(page);
	}
	if (edit) {
		await editQuestion(page, -1, edit);
		await page.mouse.move(width - 5, height / 2);
	}
	if (then) await then(page);
	await page.waitForTimeout(500);
	await page.screenshot({ path: `docs/pictures/${name}.png`, animations: 'disabled', caret: 'hide' });
	await context.close();
}

await picture('conversation', {
	width: 1180,
	height: 760,
	locale: 'en-US',
	colorScheme: 'light',
	questions: ['How do branches work?', '/demo code'],
	edit: '/demo table'
});
await picture('tree', {
	width: 1180,
	height: 760,
	locale: 'en-US',
	colorScheme: 'light',
	questions: ['How do branches work?', 'Where is my data?', 'How do I connect a model?', 'Can I work offline?'],
	edit: 'Can I install it?',
	then: async (page) => {
		await editQuestion(page, -2, 'What about models on this computer?');
		for (const question of ['Which keys are there?', 'Is it private?']) {
			await page.fill('#composer', question);
			await page.click('.send');
			await page.waitForFunction(
				(text) => [...document.querySelectorAll('article.question')].at(-1)?.textContent?.includes(text),
				question
			);
			await settled(page);
		}
		await editQuestion(page, -1, 'What can be imported?');
		await page.click('.thread > header button');
		await page.waitForSelector('[role=treeitem]');
		await page.locator('[role=treeitem]').nth(1).click({ button: 'right' });
		await page.getByRole('menuitem', { name: 'Add a label' }).click();
		await page.getByRole('dialog').getByRole('textbox').fill('start here');
		await page.keyboard.press('Enter');
		await page.waitForSelector('[role=treeitem] .chip');
		await page.mouse.move(600, 10);
	}
});
await picture('phone', {
	width: 390,
	height: 760,
	locale: 'zh-CN',
	colorScheme: 'dark',
	questions: ['分支是怎么用的？'],
	edit: '对话保存在哪里？',
	isPhone: true
});
await browser.close();
server.kill();
