// The tree beside a conversation: walked by keyboard, jumped in, labelled, cut and mended, on any screen and at any size.
import type { Locator, Page } from '@playwright/test';
import { turn, type ChatGptTurn } from '../fixtures/chatgpt-conversation.ts';
import { readTree, treeFaults } from './read-tree.ts';
import { expect, test } from './test.ts';
import { violations } from './violations.ts';

/** q1 a1, from there q2 a2 (with a second a2), and q3 a3. */
const turns: readonly ChatGptTurn[] = [
	turn('q1', null, 'user', 'A week in Kyoto'),
	turn('a1', 'q1', 'assistant', 'Maples and moss'),
	turn('q2', 'a1', 'user', 'What about food?'),
	turn('a2', 'q2', 'assistant', 'Tofu by the canal'),
	turn('a2b', 'q2', 'assistant', 'Noodles at the station'),
	turn('q3', 'a1', 'user', '预算是多少？'),
	turn('a3', 'q3', 'assistant', 'About two thousand')
];

const row = (page: Page, text: string): Locator => page.getByRole('treeitem').filter({ hasText: text });
const treeButton = (page: Page): Locator => page.locator('.thread > header button');

async function openTree(page: Page): Promise<void> {
	await treeButton(page).click();
	await expect(page.getByRole('tree')).toBeFocused();
}

async function act(page: Page, text: string, name: string): Promise<void> {
	await row(page, text).click({ button: 'right' });
	await page.getByRole('menuitem', { name, exact: true }).click();
}

test('E2E-100 the tree is opened, walked and left by keyboard, and a branch is shown', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	await app.answers.last().focus();
	await page.keyboard.press('t');
	const tree = page.getByRole('tree');
	await expect(tree).toBeFocused();
	await expect(page.getByRole('treeitem')).toHaveCount(7);
	const active = () =>
		tree.evaluate(
			(element) => document.getElementById(element.getAttribute('aria-activedescendant') ?? '')?.getAttribute('aria-label') ?? ''
		);
	await expect.poll(active).toContain('About two thousand');
	await page.keyboard.press('Home');
	await expect.poll(active).toContain('A week in Kyoto');
	await page.keyboard.type('noo');
	await expect.poll(active).toContain('Noodles at the station');
	await page.keyboard.press('Enter');
	await expect(app.answers.last()).toContainText('Noodles at the station');
	await expect(app.questions.last()).toContainText('What about food?');
	await expect(row(page, 'Noodles')).toHaveAttribute('aria-current', 'true');
	// The message that was chosen has the focus; back in the tree, Esc closes it.
	await expect(app.answers.last()).toBeFocused();
	await page.keyboard.press('t');
	await expect(tree).toBeVisible();
	await tree.focus();
	await page.keyboard.press('Escape');
	await expect(tree).toHaveCount(0);
	await expect(treeButton(page)).toBeFocused();
	// A letter in the message field is a letter.
	await app.composer.fill('');
	await app.composer.press('t');
	await expect(app.composer).toHaveValue('t');
	await expect(tree).toHaveCount(0);
});

test('E2E-101 labels: given, renamed and taken away, in the tree and at the message', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	await openTree(page);
	await act(page, 'About two thousand', 'Add a label');
	await page.getByLabel('A name for this message').fill('the budget');
	await page.keyboard.press('Enter');
	await expect(row(page, 'About two thousand')).toContainText('the budget');
	await expect(app.answers.last().locator('.label')).toContainText('the budget');
	// By key, with the focus in the tree again.
	await expect(page.getByRole('tree')).toBeFocused();
	await page.keyboard.press('F2');
	await expect(page.getByLabel('A name for this message')).toHaveValue('the budget');
	await page.getByLabel('A name for this message').fill('money');
	await page.keyboard.press('Enter');
	await expect(app.answers.last().locator('.label')).toContainText('money');
	await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Only labelled' });
	await expect(page.getByRole('treeitem')).toHaveCount(1);
	await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Everything' });
	await act(page, 'About two thousand', 'Remove the label');
	await expect(app.answers.last().locator('.label')).toHaveCount(0);
	// From the message's own menu.
	await app.press(app.questions.first(), 'More');
	await page.getByRole('menuitem', { name: 'Label' }).click();
	await page.getByLabel('A name for this message').fill('start');
	await page.keyboard.press('Enter');
	await expect(app.questions.first().locator('..').locator('.label').first()).toContainText('start');
	await expect(row(page, 'A week in Kyoto')).toContainText('start');
	await page.reload();
	await expect(page.locator('article .label').first()).toContainText('start');
	expect(treeFaults(await readTree(page))).toEqual([]);
});

test('E2E-102 a branch is deleted with its count, undone, and restored from what was deleted', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	await openTree(page);
	await act(page, 'What about food?', 'Delete this branch');
	await expect(page.getByRole('dialog')).toContainText('3 messages go');
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await expect(page.getByRole('treeitem')).toHaveCount(4);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(page.getByRole('treeitem')).toHaveCount(7);
	// One message, and all other branches.
	await act(page, 'Tofu by the canal', 'Delete this message');
	await expect(page.getByRole('treeitem')).toHaveCount(6);
	await page.getByRole('button', { name: 'More for the whole tree' }).click();
	await page.getByRole('menuitem', { name: 'Delete the other branches' }).click();
	await expect(page.getByRole('dialog')).toContainText('2 messages go');
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await expect(page.getByRole('treeitem')).toHaveCount(4);
	await expect(app.answers.last()).toContainText('About two thousand');
	await page.getByRole('button', { name: 'Deleted', exact: true }).click();
	const restores = page.getByRole('button', { name: /^Restore/ });
	await expect(restores).toHaveCount(2);
	await expect(page.locator('.tree-view li').first()).toContainText('2 messages');
	await restores.last().click();
	await expect(restores).toHaveCount(1);
	await restores.last().click();
	await expect(page.getByText('Nothing was deleted here.')).toBeVisible();
	await page.getByRole('button', { name: 'Outline', exact: true }).click();
	await expect(page.getByRole('treeitem')).toHaveCount(7);
	expect(treeFaults(await readTree(page))).toEqual([]);
});

test('E2E-103 to go on from here and to edit from here are two gestures, and a branch becomes a conversation', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	await openTree(page);
	await act(page, 'What about food?', 'Edit from here');
	await expect(app.composer).toHaveValue('What about food?');
	await expect(app.composer).toBeFocused();
	await expect(app.questions).toHaveCount(1);
	await app.composer.fill('What is Bough?');
	await app.composer.press('Enter');
	await expect(app.place(app.questions.last())).toHaveText('3/3');
	await app.settled();
	await act(page, 'Maples and moss', 'Go on from here');
	await expect(app.questions).toHaveCount(1);
	await expect(app.composer).toHaveValue('');
	await page.getByRole('treeitem').filter({ hasText: 'Tofu' }).click();
	await expect(app.answers.last()).toContainText('Tofu');
	const before = page.url();
	await act(page, 'Tofu by the canal', 'New conversation from this branch');
	await expect(page).not.toHaveURL(before);
	await expect(app.answers.last()).toContainText('Tofu');
	await expect(page.getByRole('heading', { level: 1 })).toContainText('Kyoto (branch)');
	expect(treeFaults(await readTree(page))).toEqual([]);
});

test('E2E-108 a conversation is looked at as it stood at a message, and left as it is', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	const before = await readTree(page);
	await openTree(page);
	await row(page, 'Noodles').click({ button: 'right' });
	await page.getByRole('menuitem', { name: 'View at this point' }).click();
	await expect(app.answers.last()).toContainText('Noodles at the station');
	await expect(app.answers.last()).toBeFocused();
	await expect(app.composer).toHaveCount(0);
	const point = page.getByRole('region', { name: 'As it stood at a message' });
	await expect(point).toContainText('nothing can be changed here');
	// Another point, from the message itself; nothing under it can be changed.
	await app.questions.first().hover();
	await expect(app.questions.first().getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0);
	await app.press(app.questions.first(), 'More');
	await expect(page.getByRole('menuitem')).toHaveText(['View at this point']);
	await page.getByRole('menuitem', { name: 'View at this point' }).click();
	await expect(page.locator('article')).toHaveCount(1);
	expect(await readTree(page)).toEqual(before);
	await page.keyboard.press('Escape');
	await expect(app.answers.last()).toContainText('About two thousand');
	await expect(app.composer).toBeFocused();
	// What was in force is told where it was recorded.
	await app.askAndWait('What is Bough?');
	await app.askAndWait('How do I connect a model?');
	await app.press(app.answers.nth(-2), 'More');
	await page.getByRole('menuitem', { name: 'View at this point' }).click();
	await expect(app.questions.last()).toContainText('What is Bough?');
	await point.getByText('What was in force then').click();
	await expect(point.locator('dl')).toContainText('Guide');
	await expect(point.locator('dl')).toContainText('English');
	// From there one may go on: a branch of its own, and nothing lost.
	await point.getByRole('button', { name: 'Go on from here' }).click();
	await expect(app.composer).toBeFocused();
	await app.askAndWait('Where is my data?');
	await expect(app.place(app.questions.last())).toHaveText('2/2');
	expect(treeFaults(await readTree(page))).toEqual([]);
});

test('E2E-109 messages are copied under another branch, which can be taken back, and nothing is moved', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	const before = await readTree(page);
	await openTree(page);
	await act(page, 'What about food?', 'Copy from here…');
	const bar = page.getByRole('region', { name: 'Copying messages' });
	await expect(bar).toContainText('Choose the last message to copy.');
	await act(page, 'Noodles', 'Copy up to here');
	await expect(bar).toContainText('Choose the message that the copy goes under.');
	await page.getByRole('tree').focus();
	await page.keyboard.type('about');
	await expect(row(page, 'About two thousand')).toHaveAttribute('aria-selected', 'true');
	await page.keyboard.press('Control+c');
	await expect(bar).toHaveCount(0);
	await expect(app.questions.last()).toContainText('What about food?');
	await expect(app.answers.last()).toContainText('Noodles at the station');
	await expect(row(page, 'Noodles')).toHaveCount(2);
	const after = await readTree(page);
	const ids = new Set(before.nodes.map((node) => node.id));
	expect(after.nodes.filter((node) => ids.has(node.id))).toEqual(before.nodes);
	expect(treeFaults(after)).toEqual([]);
	await page.getByRole('button', { name: 'Undo' }).click();
	await expect(row(page, 'Noodles')).toHaveCount(1);
	await expect(app.answers.last()).toContainText('About two thousand');
	// Given up with Esc, the tree stays.
	await act(page, 'Maples', 'Copy from here…');
	await page.getByRole('tree').focus();
	await page.keyboard.press('Escape');
	await expect(bar).toHaveCount(0);
	await expect(page.getByRole('tree')).toBeVisible();
});

test('E2E-104 found and filtered, Chinese as it is written, and the forks one by one', async ({ app, page }) => {
	await app.bringIn('Kyoto', turns, 'a3');
	await openTree(page);
	await expect(page.locator('.counts')).toContainText('3 on other branches');
	await page.getByLabel('Find in this tree').fill('预算');
	await expect(page.getByRole('treeitem')).toHaveCount(1);
	await expect(page.locator('.counts')).toContainText('1 found');
	await page.getByLabel('Find in this tree').fill('nowhere');
	await expect(page.getByText('Nothing in this tree matches.')).toBeVisible();
	await page.getByLabel('Find in this tree').fill('');
	await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Only questions' });
	await expect(page.getByRole('treeitem')).toHaveCount(3);
	// The cursor's answer is hidden: its question is the active one.
	await expect(row(page, '预算是多少？')).toHaveAttribute('aria-selected', 'true');
	await page.getByRole('button', { name: 'Branches', exact: true }).click();
	await expect(page.locator('.tree-view h3')).toHaveCount(2);
	await page
		.locator('.tree-view')
		.getByRole('button', { name: /Tofu by the canal/ })
		.click();
	await expect(app.answers.last()).toContainText('Tofu by the canal');
	await page.getByRole('button', { name: 'Map', exact: true }).click();
	await expect(page.locator('.view path.thing')).toHaveCount(7);
	const ring = await page.locator('.view circle.ring').boundingBox();
	expect(ring).not.toBeNull();
});

for (const [colorScheme, locale] of [
	['light', 'en-US'],
	['dark', 'zh-CN']
] as const) {
	test.describe(`${colorScheme} ${locale}`, () => {
		test.use({ colorScheme, locale });
		test(`E2E-105 no violations in any rendering (${colorScheme}, ${locale})`, async ({ app, page }) => {
			await app.bringIn('Kyoto', turns, 'a3');
			await expect(app.answers.last()).toBeVisible();
			await openTree(page);
			const found: Record<string, string[]> = {};
			for (const index of [0, 1, 2, 3]) {
				await page.locator('.ways button').nth(index).click();
				await page.waitForTimeout(200);
				const list = await violations(page);
				if (list.length > 0) found[String(index)] = list;
			}
			await page.locator('.ways button').first().click();
			await page.getByRole('treeitem').nth(2).click({ button: 'right' });
			await expect(page.getByRole('menuitem').first()).toBeVisible();
			const list = await violations(page);
			if (list.length > 0) found['menu'] = list;
			expect(found).toEqual({});
		});
	});
}

test.describe('on a phone', () => {
	test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, locale: 'zh-CN' });
	test('E2E-133 a long title is cut and widens nothing', async ({ app, page }) => {
		await app.open();
		await app.composer.fill(`Please tell me in detail, and leave nothing out, how branches and versions work here ${'长'.repeat(60)}`);
		await page.locator('.send').click();
		await expect(page).toHaveURL(/\/t\//);
		await app.settled();
		await expect(app.answers.last()).toContainText(/./);
		for (const part of [app.composer, treeButton(page), app.questions.last(), app.answers.last()]) {
			const { x, width } = (await part.boundingBox()) ?? { x: -1, width: 0 };
			expect(x).toBeGreaterThanOrEqual(0);
			expect(x + width).toBeLessThanOrEqual(360);
		}
	});
	test('E2E-106 a sheet over the conversation: nothing runs out of it, a touch shows a branch, Esc closes', async ({
		app,
		page,
		browserName
	}) => {
		// A touch makes no click in a desktop Firefox.
		const touch = (target: Locator) => (browserName === 'firefox' ? target.click() : target.tap());
		await app.bringIn('京都', turns, 'a3');
		await touch(treeButton(page));
		const sheet = page.getByRole('dialog', { name: '树' });
		await expect(sheet).toBeVisible();
		await expect(page.getByRole('treeitem').first()).toBeVisible();
		const overflowing = await sheet.evaluate((element) =>
			[element, ...element.querySelectorAll('header, .narrowing, .tree-view')]
				.filter((part) => part.scrollWidth > part.clientWidth + 1)
				.map((part) => part.className)
		);
		expect(overflowing).toEqual([]);
		for (const button of await sheet.locator('header button').all())
			expect((await button.boundingBox())?.height ?? 0).toBeGreaterThanOrEqual(32);
		await touch(row(page, 'Tofu'));
		await expect(sheet).toHaveCount(0);
		await expect(app.answers.last()).toContainText('Tofu');
		await touch(treeButton(page));
		await expect(sheet).toBeVisible();
		await page.keyboard.press('Escape');
		await expect(sheet).toHaveCount(0);
	});
});

test('E2E-107 @chromium five thousand messages with five hundred forks stay usable', async ({ app, page }) => {
	test.setTimeout(180_000);
	const many: ChatGptTurn[] = [];
	const add = (parent: number | null) => {
		const id = many.length;
		many.push(
			turn(
				`m${id}`,
				parent === null ? null : `m${parent}`,
				id % 2 === 0 ? 'user' : 'assistant',
				`Message number ${id}. ${'Some words. '.repeat(40)}`
			)
		);
		return id;
	};
	for (let id = 0; id < 3_000; id++) add(id === 0 ? null : id - 1);
	for (let fork = 0; fork < 500; fork++) {
		let parent = fork * 6 + 1;
		for (let step = 0; step < 4; step++) parent = add(parent);
	}
	await app.bringIn('A very large tree', many, 'm2999');
	await expect(app.answers.last()).toContainText('Message number 2999.');
	const timed = async (doing: () => Promise<unknown>) => {
		const startMs = Date.now();
		await doing();
		return Date.now() - startMs;
	};
	const figures: Record<string, number> = {};
	figures['open'] = await timed(() => openTree(page).then(() => expect(page.getByRole('treeitem').first()).toBeVisible()));
	await expect(page.locator('.counts')).toContainText(/5,?000 messages/);
	expect(await page.getByRole('treeitem').count()).toBeLessThan(60);
	figures['end'] = await timed(async () => {
		await page.keyboard.press('Home');
		await expect(row(page, 'Message number 0.')).toBeVisible();
	});
	figures['search'] = await timed(async () => {
		await page.getByLabel('Find in this tree').fill('number 3205.');
		await expect(page.getByRole('treeitem')).toHaveCount(1);
	});
	figures['jump'] = await timed(async () => {
		await row(page, 'Message number 3205.').click();
		await expect(page.locator('article', { hasText: 'Message number 3205.' })).toBeVisible();
	});
	await page.getByLabel('Find in this tree').fill('');
	figures['map'] = await timed(async () => {
		await page.getByRole('button', { name: 'Map', exact: true }).click();
		await expect(page.locator('.view canvas, .view svg').first()).toBeVisible();
	});
	// Live: what is said now is in the tree.
	await page.getByRole('button', { name: 'Outline', exact: true }).click();
	await app.composer.fill('What is Bough?');
	await app.composer.press('Enter');
	await expect(app.questions.last()).toContainText('What is Bough?');
	await app.settled();
	await expect(page.locator('.counts')).toContainText(/5,?002 messages/);
	test.info().annotations.push({ type: 'milliseconds', description: JSON.stringify(figures) });
	console.log('tree of 5,000:', JSON.stringify(figures));
	expect(figures['open']).toBeLessThan(5_000);
	expect(figures['jump']).toBeLessThan(5_000);
});
