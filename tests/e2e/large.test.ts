// A conversation of ten thousand messages: opens at once, keeps a window in the page, and scrolls without jumping.
import { chatGptConversation, type ChatGptTurn } from '../fixtures/chatgpt-conversation.ts';
import { expect, test } from './test.ts';

const messages = 10_000;

const turns: readonly ChatGptTurn[] = Array.from({ length: messages }, (_, index) => ({
	id: `n${index}`,
	parent: index === 0 ? null : `n${index - 1}`,
	role: index % 2 === 0 ? 'user' : 'assistant',
	text: `Message number ${index}. ${'It says something of some length. '.repeat(1 + (index % 7))}`
}));

test('E2E-65 @chromium ten thousand messages: a window in the page, reading on in both directions, nothing jumps', async ({
	app,
	page
}) => {
	test.setTimeout(180_000);
	await app.open('/settings/data');
	const json = JSON.stringify([chatGptConversation('A very long one', turns, `n${messages - 1}`)]);
	await page
		.getByTestId('import-file')
		.setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer: Buffer.from(json) });
	await expect(page.getByText(/1 conversation with 10,?000 messages was brought in/)).toBeVisible({ timeout: 60_000 });
	await page.getByRole('link', { name: 'Open the first one' }).click();
	await expect(app.answers.last()).toContainText(`Message number ${messages - 1}.`);
	const articles = page.locator('article');
	expect(await articles.count()).toBeLessThanOrEqual(60);
	const scroller = page.locator('.scroller');
	const atEnd = () => scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
	expect(await atEnd()).toBeLessThan(2);

	/** Number and place of the message at the top of the view. */
	const reading = () =>
		scroller.evaluate((element) => {
			const edge = element.getBoundingClientRect().top;
			for (const article of element.querySelectorAll('article')) {
				const { top, bottom } = article.getBoundingClientRect();
				if (bottom > edge + 1) return { number: Number(/Message number (\d+)/.exec(article.textContent ?? '')?.[1]), top: Math.round(top) };
			}
			return null;
		});
	let last = await reading();
	const numbers: number[] = [];
	for (let step = 0; step < 90; step++) {
		await scroller.hover();
		await page.mouse.wheel(0, -700);
		await page.waitForTimeout(40);
		const now = await reading();
		if (now && last) {
			// Upwards, never back, and never by more than a screen of messages.
			expect(now.number).toBeLessThanOrEqual(last.number);
			expect(last.number - now.number).toBeLessThan(40);
			numbers.push(now.number);
		}
		last = now;
	}
	expect(Math.min(...numbers)).toBeLessThan(messages - 300);
	expect(await articles.count()).toBeLessThanOrEqual(360);
	// Standing still, nothing moves by itself.
	await page.waitForTimeout(500);
	const before = await reading();
	await page.waitForTimeout(700);
	expect(await reading()).toEqual(before);
	// And down again to the end.
	await page.getByRole('button', { name: 'Jump to the latest' }).click();
	await expect(app.answers.last()).toContainText(`Message number ${messages - 1}.`);
	await expect.poll(atEnd).toBeLessThan(2);
	await app.composer.fill('What is Bough?');
	await app.composer.press('Enter');
	await expect(app.questions.last()).toContainText('What is Bough?');
	await app.settled();
	await expect(app.answers.last()).toContainText('Guide');
});
