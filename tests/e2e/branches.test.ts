// The branches of a conversation through everything that a person does to them at once: each `< n/m >` is right at each level.
import { readTree, treeFaults } from './read-tree.ts';
import { expect, test } from './test.ts';

test('E2E-130 edited at three levels, asked again twice, switched, cut in the middle, reloaded: < n/m > is right at each level each time', async ({
	app,
	page,
	models
}) => {
	await app.connect(`${models.url}/openai/v1`, 'echo');
	await app.open();
	for (const text of ['one', 'two', 'three']) await app.askAndWait(text);

	/** The branch in view: what each message says, an answer by `a:` and what it echoes, and its place among its versions. */
	const expectBranch = (...expected: string[]) =>
		expect
			.poll(() =>
				page.locator('article').evaluateAll((articles) =>
					articles.map((article) => {
						const said = article.querySelector('.bubble, .markdown')?.textContent?.trim() ?? '';
						const place = article.querySelector('.versions .place')?.textContent?.trim() ?? '';
						return `${said.replace(/^Echo: /, 'a:')} ${place}`.trim();
					})
				)
			)
			.toEqual(expected);
	const ask = async (doing: Promise<void>) => {
		await doing;
		await app.settled();
	};
	await expectBranch('one', 'a:one', 'two', 'a:two', 'three', 'a:three');

	// Three levels, the lowest first.
	await ask(app.edit(app.questions.nth(2), 'three, reworded'));
	await expectBranch('one', 'a:one', 'two', 'a:two', 'three, reworded 2/2', 'a:three, reworded');
	await ask(app.edit(app.questions.nth(1), 'two, reworded'));
	await expectBranch('one', 'a:one', 'two, reworded 2/2', 'a:two, reworded');
	await ask(app.edit(app.questions.nth(0), 'one, reworded'));
	await expectBranch('one, reworded 2/2', 'a:one, reworded');
	await ask(app.press(app.answers.last(), 'Regenerate'));
	await expectBranch('one, reworded 2/2', 'a:one, reworded 2/2');
	await ask(app.press(app.answers.last(), 'Regenerate'));
	await expectBranch('one, reworded 2/2', 'a:one, reworded 3/3');

	// Back to the first version of each, level by level; each fork opens where it was last left.
	await app.step(app.questions.nth(0), -1).click();
	await expectBranch('one 1/2', 'a:one', 'two, reworded 2/2', 'a:two, reworded');
	await app.step(app.questions.nth(1), -1).click();
	await expectBranch('one 1/2', 'a:one', 'two 1/2', 'a:two', 'three, reworded 2/2', 'a:three, reworded');
	await app.step(app.questions.nth(2), -1).click();
	await expectBranch('one 1/2', 'a:one', 'two 1/2', 'a:two', 'three 1/2', 'a:three');

	// Cut in the middle: what followed the question follows what was before it, beside the question's other version.
	await app.press(app.questions.nth(1), 'More');
	await page.getByRole('menuitem', { name: 'Delete this message' }).click();
	const cut = ['one 1/2', 'a:one', 'a:two 1/2', 'three 1/2', 'a:three'];
	await expectBranch(...cut);
	await page.reload();
	await expectBranch(...cut);

	await app.step(app.answers.nth(1), 1).click();
	await expectBranch('one 1/2', 'a:one', 'two, reworded 2/2', 'a:two, reworded');
	await app.step(app.questions.nth(1), -1).click();
	await expectBranch(...cut);
	await app.step(app.questions.nth(1), 1).click();
	await expectBranch('one 1/2', 'a:one', 'a:two 1/2', 'three, reworded 2/2', 'a:three, reworded');
	await app.step(app.questions.nth(0), 1).click();
	await expectBranch('one, reworded 2/2', 'a:one, reworded 3/3');
	await app.step(app.answers.nth(0), -1).click();
	await expectBranch('one, reworded 2/2', 'a:one, reworded 2/3');
	await page.reload();
	await expectBranch('one, reworded 2/2', 'a:one, reworded 2/3');
	await app.step(app.questions.nth(0), -1).click();
	await expectBranch('one 1/2', 'a:one', 'a:two 1/2', 'three, reworded 2/2', 'a:three, reworded');
	await app.step(app.questions.nth(0), 1).click();
	await expectBranch('one, reworded 2/2', 'a:one, reworded 2/3');

	const tree = await readTree(page);
	expect(treeFaults(tree)).toEqual([]);
	// Six questions with an answer each, one of them asked for twice more; what was deleted is kept as deleted.
	expect(tree.nodes.filter((node) => node.type === 'user_message')).toHaveLength(6);
	expect(tree.nodes.filter((node) => node.type === 'assistant_message')).toHaveLength(8);
	expect(tree.nodes.filter((node) => node.deleted).map((node) => node.text)).toEqual(['two']);
});
