// Two branches side by side: opened from where one would look for it, read, chosen from and left again, live and at any size.
import type { Locator, Page } from '@playwright/test';
import { turn, type ChatGptTurn } from '../fixtures/chatgpt-conversation.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';
import { readTree, treeFaults } from './read-tree.ts';
import { expect, test } from './test.ts';
import { violations } from './violations.ts';

/** q1 a1 q2, then two answers, each with a question and an answer after it. */
const turns: readonly ChatGptTurn[] = [
	turn('q1', null, 'user', 'A week in Kyoto'),
	turn('a1', 'q1', 'assistant', 'Temples or food?'),
	turn('q2', 'a1', 'user', 'Temples, please'),
	turn('a2', 'q2', 'assistant', 'First **Tofuku-ji** in the morning, then tea by the canal.'),
	turn('a2b', 'q2', 'assistant', 'First **Tofuku-ji** in the evening, then tea by the river.'),
	turn('q3', 'a2', 'user', '在哪里吃饭？'),
	turn('a3', 'q3', 'assistant', '南禅寺的豆腐很好，请提前预订。'),
	turn('q3b', 'a2b', 'user', '在哪里吃面？'),
	turn('a3b', 'q3b', 'assistant', '车站的面馆很好，不用预订。')
];

const comparison = (page: Page): Locator => page.locator('.comparison');
const pairs = (page: Page): Locator => page.locator('.pair');
const marks = (page: Page, side: 'a' | 'b'): Promise<string[]> =>
	page.locator(`.pair .side-${side} :is(del, ins)`).evaluateAll((all) => all.map((mark) => mark.textContent ?? ''));

/** From the menu of the message that has versions. */
async function compareVersions(page: Page, message: Locator, name = 'Compare with the previous version'): Promise<void> {
	await message.hover();
	await message.getByRole('button', { name: 'More', exact: true }).click();
	await page.getByRole('menuitem', { name }).click();
	await expect(comparison(page)).toBeVisible();
}

/** Sends a side to the branch that ends with a message of these words. */
async function follow(page: Page, side: 'A' | 'B', end: string | RegExp): Promise<void> {
	const list = page.getByLabel(`Where branch ${side} leads to`);
	await list.selectOption((await list.locator('option', { hasText: end }).getAttribute('value')) ?? '');
}

/** Counts, in this page and in those that it goes to, how long it did nothing else. Answers the longest, in ms. */
async function watchStops(page: Page): Promise<() => Promise<number>> {
	const count = () => {
		const seen = { longest: 0, last: performance.now() };
		Object.assign(window, { stops: seen });
		setInterval(() => {
			const now = performance.now();
			seen.longest = Math.max(seen.longest, now - seen.last);
			seen.last = now;
		}, 10);
	};
	await page.addInitScript(count);
	await page.evaluate(count);
	return () => page.evaluate(() => Math.round((window as unknown as { stops: { longest: number } }).stops.longest));
}

test('E2E-120 two versions of an answer: from its menu, with the words that differ, and back to where one was', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3b');
	const threadUrl = page.url();
	const message = app.answers.nth(1);
	await expect(app.place(message)).toHaveText('2/2');
	await compareVersions(page, message);
	await expect(page.getByRole('heading', { name: 'Compare branches' })).toBeFocused();
	await expect(page).toHaveTitle(/^Compare branches/);
	await expect(pairs(page)).toHaveCount(3);
	await expect(page.locator('.side-a.head')).toContainText('Version 1 of 2 · test-model');
	await expect(page.locator('.comparison summary')).toContainText('3 messages that both share');
	await expect(page.locator('.comparison summary')).toContainText('Temples, please');
	await expect(page.locator('.verdict').first()).toContainText('2 differences: words only in A: 2, only in B: 2.');
	// Chinese by words; where a word ends is the browser's to say.
	await expect.poll(async () => (await marks(page, 'a')).slice(0, 2)).toEqual(['morning', 'canal']);
	expect((await marks(page, 'b')).slice(0, 2)).toEqual(['evening', 'river']);
	expect((await marks(page, 'a')).slice(2).join('').length).toBeGreaterThan(2);
	await expect(pairs(page).nth(2).locator('.side-b .differing')).toHaveText('车站的面馆很好，不用预订。');
	// The way from one difference to the next.
	await page.getByRole('button', { name: 'Next difference (n)' }).click();
	await expect(page.locator('del').first()).toBeFocused();
	await page.keyboard.press('n');
	await expect(page.locator('del').nth(1)).toBeFocused();
	await page.keyboard.press('p');
	await expect(page.locator('del').first()).toBeFocused();
	// Without marks the messages are as in the conversation.
	await page.getByRole('button', { name: 'Differences', exact: true }).click();
	await expect(page.locator('.pair strong')).toHaveCount(2);
	await expect(page.locator('.pair del')).toHaveCount(0);
	// What both share unfolds.
	await page.locator('.comparison summary').click();
	await expect(page.locator('.comparison details article')).toHaveCount(3);
	await page.getByRole('button', { name: 'Last answers' }).click();
	await expect(pairs(page)).toHaveCount(1);
	await expect(pairs(page)).toContainText('车站的面馆');
	await page.keyboard.press('Escape');
	await expect(comparison(page)).toHaveCount(0);
	await expect(page).toHaveURL(threadUrl);
	await expect(message).toBeFocused();
	await expect(app.place(message)).toHaveText('2/2');
});

test('E2E-121 one branch is chosen to go on with, and the next message follows it', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3b');
	await compareVersions(page, app.answers.nth(1));
	await page.locator('.side-a.head').getByRole('button', { name: 'Go on with A' }).click();
	await expect(comparison(page)).toHaveCount(0);
	await expect(app.composer).toBeFocused();
	await expect(app.answers.last()).toContainText('南禅寺的豆腐');
	await page.keyboard.type('What is Bough?');
	await page.keyboard.press('Enter');
	await expect(app.questions).toHaveCount(4);
	await app.settled();
	const { nodes } = await readTree(page);
	const asked = nodes.find((node) => node.text === 'What is Bough?');
	const context = nodes.find((node) => node.id === asked?.parentId);
	expect(nodes.find((node) => node.id === context?.parentId)?.text).toContain('南禅寺的豆腐');
	expect(treeFaults(await readTree(page))).toEqual([]);
});

test('E2E-122 an address of its own: it survives a reload, and Back leaves it', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3b');
	const threadUrl = page.url();
	await compareVersions(page, app.answers.nth(1));
	// Another branch for a side is part of the address.
	await follow(page, 'B', '南禅寺的豆腐');
	await expect(page.locator('.notice')).toContainText('the same branch');
	await page.goBack();
	await expect(comparison(page)).toHaveCount(0);
	await page.goForward();
	await expect(page.locator('.notice')).toContainText('the same branch');
	await follow(page, 'B', '车站的面馆');
	await expect(page.locator('.notice')).toHaveCount(0);
	await page.reload();
	await expect(pairs(page)).toHaveCount(3);
	await expect(page.getByRole('heading', { name: 'Compare branches' })).toBeFocused();
	await page.getByRole('button', { name: 'Back to the conversation' }).click();
	await expect(page).toHaveURL(threadUrl);
	await expect(app.answers.last()).toContainText('车站的面馆');
	// A message that is not there is said to be so.
	await page.goto(`${threadUrl}?compare=nobody&with=nothing`);
	await expect(page.locator('.notice')).toHaveCount(2);
	await expect(page.locator('.notice').first()).toContainText('A: the chosen message is not in this conversation');
	await expect(page.locator('.side-a.head').getByRole('button')).toBeDisabled();
});

test('E2E-123 by keyboard from the tree: two messages anywhere, and back into the tree', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3b');
	await app.answers.last().focus();
	await page.keyboard.press('t');
	const tree = page.getByRole('tree');
	await expect(tree).toBeFocused();
	await page.keyboard.type('tem');
	await page.keyboard.press('Space');
	await expect(page.getByRole('treeitem').filter({ hasText: 'Temples or food?' })).toContainText('A');
	await page.keyboard.press('End');
	await page.keyboard.press('Space');
	await expect(page.getByRole('heading', { name: 'Compare branches' })).toBeFocused();
	// The one lies above the other.
	await expect(page.locator('.notice')).toContainText('A leads to B');
	await expect(pairs(page).first().locator('.side-a')).toContainText('Nothing here on this branch');
	await page.keyboard.press('Escape');
	await expect(comparison(page)).toHaveCount(0);
	await expect(tree).toBeFocused();
});

test('E2E-124 live: an answer is compared while it is written, and a deletion is said', async ({ app, page, models }) => {
	await app.connect(`${models.url}/openai/v1`, 'story:words=60,pause=20');
	await app.open();
	await app.ask('Tell me something');
	await expect(app.answers.last()).toContainText(/\w+ \w+ \w+/);
	models.release();
	await app.settled();
	await app.press(app.answers.last(), 'Regenerate');
	await expect(app.place(app.answers.last())).toHaveText('2/2');
	await compareVersions(page, app.answers.last(), 'Compare with');
	await expect(page.locator('.verdict')).toContainText('once the answer is complete');
	await expect(page.locator('.pair .side-b article')).toHaveAttribute('aria-busy', 'true');
	models.release();
	await expect(page.locator('.pair .side-b article')).toHaveAttribute('aria-busy', 'false');
	await expect(page.locator('.verdict')).toContainText(/difference/);
	await expect(pairs(page)).toHaveCount(1);
	// Deleted in another tab.
	const other = await page.context().newPage();
	await other.goto(page.url().split('?')[0] ?? '');
	const answer = other.locator('article.answer').last();
	await answer.hover();
	await answer.getByRole('button', { name: 'More', exact: true }).click();
	await other.getByRole('menuitem', { name: 'Delete this message' }).click();
	await expect(page.locator('.notice')).toContainText('B: this branch was deleted');
	await other.getByRole('button', { name: 'Undo' }).click();
	await expect(page.locator('.notice')).toHaveCount(0);
	await expect(page.locator('.verdict')).toContainText(/difference/);
});

for (const [colorScheme, locale] of [
	['light', 'en-US'],
	['dark', 'zh-CN']
] as const) {
	test.describe(`${colorScheme} ${locale}`, () => {
		test.use({ colorScheme, locale });
		test(`E2E-125 no violations, marked and unmarked, unfolded and without a branch (${colorScheme}, ${locale})`, async ({ app, page }) => {
			await app.bringIn('Kyoto', turns, 'a3b');
			const message = app.answers.nth(1);
			await message.hover();
			await message.locator('.buttons button').last().click();
			await page.getByRole('menuitem').first().click();
			await expect(page.locator('.pair del').first()).toBeVisible();
			const found: Record<string, string[]> = {};
			const look = async (name: string) => {
				const list = await violations(page);
				if (list.length > 0) found[name] = list;
			};
			await look('marked');
			await page.locator('.comparison summary').click();
			await page.locator('.comparison header .group').nth(1).getByRole('button').click();
			await expect(page.locator('.pair strong')).toHaveCount(2);
			await look('unmarked');
			await page.goto(`${page.url().split('?')[0]}?compare=nobody&with=nothing`);
			await expect(page.locator('.notice')).toHaveCount(2);
			await look('missing');
			expect(found).toEqual({});
		});
	});
}

test.describe('on a phone', () => {
	test.use({ viewport: { width: 360, height: 640 }, hasTouch: true });
	test('E2E-126 under each other, one side at a time, within reach of a thumb, and nothing runs out of the screen', async ({
		app,
		page,
		browserName
	}) => {
		const touch = (target: Locator) => (browserName === 'firefox' ? target.click() : target.tap());
		await app.bringIn('Kyoto', turns, 'a3b');
		await compareVersions(page, app.answers.nth(1));
		await expect(pairs(page)).toHaveCount(3);
		const [a, b] = [pairs(page).first().locator('.side-a'), pairs(page).first().locator('.side-b')];
		expect((await b.boundingBox())?.y ?? 0).toBeGreaterThan((await a.boundingBox())?.y ?? 0);
		expect((await b.boundingBox())?.x).toBe((await a.boundingBox())?.x);
		await touch(page.getByRole('button', { name: 'B', exact: true }));
		await expect(a).toBeHidden();
		await expect(b).toBeVisible();
		await page.getByRole('button', { name: 'Next difference (n)' }).click();
		await expect(page.locator('.pair ins').first()).toBeFocused();
		// The list scrolls, never the page under it.
		expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
		await expect(page.getByRole('heading', { name: 'Compare branches' })).toBeInViewport();
		await touch(page.getByRole('button', { name: 'Both', exact: true }));
		await expect(a).toBeVisible();
		const overflowing = await comparison(page).evaluate((element) =>
			[element, ...element.querySelectorAll('header, .scroller, .pair, .head, footer')]
				.filter((part) => part.scrollWidth > part.clientWidth + 1)
				.map((part) => part.className)
		);
		expect(overflowing).toEqual([]);
		if (browserName !== 'firefox') {
			for (const button of await comparison(page).locator('button:visible, select:visible').all())
				expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(44);
		}
		await touch(page.locator('.comparison footer').getByRole('button', { name: 'Go on with A' }));
		await expect(comparison(page)).toHaveCount(0);
		await expect(app.answers.last()).toContainText('南禅寺的豆腐');
	});
});

test('E2E-127 two branches of two thousand messages each: a window of them, read on in both directions', async ({ app, page }) => {
	test.setTimeout(180_000);
	const words = 'It says something of some length. '.repeat(6);
	const branch = (name: string, under: string) =>
		Array.from({ length: 2_000 }, (_, at) =>
			turn(
				`${name}${at}`,
				at === 0 ? under : `${name}${at - 1}`,
				at % 2 === 0 ? 'user' : 'assistant',
				`Message ${at}${at % 4 === 1 ? ` of ${name}` : ''}. ${words}`
			)
		);
	const list = [...turns.slice(0, 2), ...branch('left', 'a1'), ...branch('right', 'a1')];
	await app.bringIn('Two long ones', list, 'left1999');
	await expect(app.answers.last()).toContainText('Message 1999');
	// By its address: what stands 2,000 messages above is not in the conversation's window.
	const { nodes } = await readTree(page);
	const first = nodes.filter((node) => node.type === 'user_message' && node.text.startsWith('Message 0.'));
	expect(first.length).toBe(2);
	const longest = await watchStops(page);
	const startMs = Date.now();
	await page.goto(`${page.url()}?compare=${first[0]?.id}&with=${first[1]?.id}`);
	await expect(pairs(page)).toHaveCount(20);
	await expect(pairs(page).nth(1).locator('ins')).toHaveText('right');
	const openMs = Date.now() - startMs;
	await expect(page.locator('.side-a.head')).toContainText(/2,?000 messages/);
	const more = page.locator('.comparison').getByRole('button', { name: /Show later messages/ });
	await expect(more).toContainText('1,980');
	for (let step = 1; step <= 7; step++) {
		await more.click();
		await expect(pairs(page)).toHaveCount(Math.min(120, 20 + 20 * step));
	}
	await expect(pairs(page).last()).toContainText('Message 159.');
	await expect(pairs(page).first()).toContainText('Message 40.');
	await page.locator('.comparison').getByRole('button', { name: 'Show earlier messages' }).click();
	await expect(pairs(page).first()).toContainText('Message 20.');
	await page.getByRole('button', { name: 'Last answers' }).click();
	await expect(pairs(page)).toHaveCount(1);
	await expect(pairs(page)).toContainText('Message 1999');
	const longestStopMs = await longest();
	console.log('branches of 2,000:', JSON.stringify({ openMs, longestStopMs }));
	expect(openMs).toBeLessThan(15_000);
	expect(longestStopMs).toBeLessThan(2_000);
	await page.locator('.side-b.head').getByRole('button').click();
	await expect(comparison(page)).toHaveCount(0);
	await expect(app.answers.last()).toContainText('Message 1999');
});

test('E2E-128 answers of 200 kB: their differences are found while the page goes on, hopeless ones are given up in words', async ({
	app,
	page
}) => {
	test.setTimeout(180_000);
	const random = seededRandom(4);
	const text = (name: string) =>
		Array.from({ length: 36_000 }, () => `${name}${Math.floor(random() * 4_000)}${random() < 0.05 ? '.\n\n' : ''}`).join(' ');
	const long = text('w');
	const edited = long
		.split(' ')
		.map((word, at) => (at % 300 === 7 ? 'changed' : word))
		.join(' ');
	expect(long.length).toBeGreaterThan(200_000);
	const list = [
		turn('q1', null, 'user', 'Tell me everything'),
		turn('a1', 'q1', 'assistant', long),
		turn('a2', 'q1', 'assistant', edited),
		turn('a3', 'q1', 'assistant', text('x'))
	];
	await app.bringIn('Long answers', list, 'a2');
	await expect(app.answers).toHaveCount(1);
	const longest = await watchStops(page);
	await compareVersions(page, app.answers.first());
	const startMs = Date.now();
	await expect(page.locator('.pair ins')).toHaveCount(120, { timeout: 30_000 });
	const foundMs = Date.now() - startMs;
	await expect(page.locator('.verdict')).toContainText('120 differences');
	// Marks go and come, and keys are taken meanwhile.
	await page.getByRole('button', { name: 'Differences', exact: true }).click();
	await expect(page.locator('.pair ins')).toHaveCount(0);
	await page.getByRole('button', { name: 'Differences', exact: true }).click();
	await expect(page.locator('.pair ins')).toHaveCount(120);
	await page.getByRole('button', { name: 'Next difference (n)' }).click();
	await expect(page.locator('.pair del').first()).toBeFocused();
	await follow(page, 'B', /^x/);
	await expect(page.locator('.verdict')).toContainText(/Too different|They share/, { timeout: 30_000 });
	await expect(page.locator('.pair ins')).toHaveCount(0);
	await expect(page.locator('.pair .side-b .markdown')).toContainText(/x\d+/);
	const longestStopMs = await longest();
	console.log('200 kB a side:', JSON.stringify({ foundMs, longestStopMs }));
	expect(longestStopMs).toBeLessThan(2_000);
});
