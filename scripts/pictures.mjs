// `npm run pictures`: takes the README's pictures from the running app. Run by hand when the screens change; the pictures are
// kept in docs/pictures.
import { chromium } from 'playwright-core';
import { chromiumArguments, chromiumPath } from './browsers.mjs';
import { startServer } from './start-server.mjs';

const server = await startServer();
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
	await isAsked(page, text);
}

/** Waits until `text` is the last question and was answered. */
async function isAsked(page, text) {
	await page.waitForFunction(
		(text) =>
			document.querySelector('article:nth-last-of-type(2).question + article.answer') &&
			[...document.querySelectorAll('article.question')].at(-1)?.textContent?.includes(text),
		text
	);
	await settled(page);
}

async function ask(page, text) {
	await page.waitForSelector('#composer');
	await page.fill('#composer', text);
	await page.click('.send');
	await isAsked(page, text);
}

async function picture(name, { width, height, locale, colorScheme, questions, edit, isPhone }) {
	const context = await browser.newContext({
		viewport: { width, height },
		locale,
		colorScheme,
		deviceScaleFactor: isPhone ? 2 : 1,
		hasTouch: isPhone,
		isMobile: isPhone
	});
	const page = await context.newPage();
	await page.goto(`${server.origin}/`);
	for (const question of questions) await ask(page, question);
	if (edit) {
		await editQuestion(page, -1, edit);
		await page.mouse.move(width - 5, height / 2);
	}
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
server.stop();
