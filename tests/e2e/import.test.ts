// Real trees from other tools: their messages, branches and current leaf.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test.ts';
import { chatGptConversation, type ChatGptTurn } from '../fixtures/chatgpt-conversation.ts';

const samples = join(import.meta.dirname, '../../../shared/formats/samples');

const forest: readonly ChatGptTurn[] = [
	{ id: 'u1', parent: null, role: 'user', text: 'Which tree grows fastest?' },
	{ id: 'a1', parent: 'u1', role: 'assistant', text: 'Bamboo, if it were a tree.' },
	{ id: 'a2', parent: 'u1', role: 'assistant', text: 'The **empress tree**.' },
	{ id: 'u2', parent: 'a2', role: 'user', text: 'How fast?' },
	{ id: 'a3', parent: 'u2', role: 'assistant', text: 'Metres in a year.' }
];

test('E2E-30 a ChatGPT export comes in with its branches; a second time changes nothing', async ({ app, page }) => {
	const json = JSON.stringify([chatGptConversation('Fast trees', forest, 'a3'), { title: 'no conversation' }]);
	await app.open('/settings/data');
	const choose = () =>
		page.getByTestId('import-file').setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer: Buffer.from(json) });
	await choose();
	await expect(page.getByText('1 conversation with 5 messages was brought in.')).toBeVisible();
	await page.getByText('What was noticed').click();
	await expect(page.getByText(/Entry that is no conversation/)).toBeVisible();
	await choose();
	await expect(page.getByText('1 were here already and left alone.')).toBeVisible();
	await page
		.getByRole('link', { name: /Fast trees/ })
		.first()
		.click();
	await expect(app.answers).toHaveCount(2);
	await expect(app.place(app.answers.first())).toHaveText('2/2');
	await expect(app.answers.last()).toContainText('Metres in a year.');
	await app.step(app.answers.first(), -1).click();
	await expect(app.answers).toHaveCount(1);
	await expect(app.answers.first()).toContainText('Bamboo');
	await app.step(app.answers.first(), 1).click();
	await expect(app.answers.last()).toContainText('Metres in a year.');
	// It goes on like any conversation.
	await app.askAndWait('What is the Guide?');
	await expect(app.answers).toHaveCount(3);
});

/** A pi session of version 3: one question with two answers, the second one in view. */
const piSession = [
	{ type: 'session', version: 3, id: 'pi-journey', timestamp: '2026-01-02T03:04:05.000Z', cwd: '/home/somebody/garden' },
	{
		type: 'message',
		id: 'aaaa0001',
		parentId: null,
		timestamp: '2026-01-02T03:04:06.000Z',
		message: { role: 'user', content: 'When do I prune an apple tree?' }
	},
	...['In winter.', 'In late winter, before the buds.'].map((text, index) => ({
		type: 'message',
		id: `aaaa000${index + 2}`,
		parentId: 'aaaa0001',
		timestamp: '2026-01-02T03:04:07.000Z',
		message: { role: 'assistant', content: [{ type: 'text', text }], provider: 'p', model: 'm', stopReason: 'stop' }
	})),
	{ type: 'session_info', id: 'aaaa0004', parentId: 'aaaa0003', timestamp: '2026-01-02T03:04:08.000Z', name: 'The orchard' }
];

test('E2E-33 a pi session comes in with its branches, its name, and a torn last line told', async ({ app, page }) => {
	const text = `${piSession.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"message","id":"aaaa0005","par`;
	await app.open('/settings/data');
	await page.getByTestId('import-file').setInputFiles({ name: 'session.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) });
	await expect(page.getByText('1 conversation with 3 messages was brought in.')).toBeVisible();
	await page.getByText('What was noticed').click();
	await expect(page.getByText(/Last line torn off/)).toBeVisible();
	await page.getByRole('link', { name: 'Open the first one' }).click();
	await expect(page.getByRole('heading', { level: 1 })).toHaveText('The orchard');
	await expect(app.answers.last()).toContainText('before the buds');
	await expect(app.place(app.answers.last())).toHaveText('2/2');
	await app.step(app.answers.last(), -1).click();
	await expect(app.answers.last()).toContainText('In winter.');
});

test('E2E-31 files that are no export are refused with a reason', async ({ app, page }) => {
	await app.open('/settings/data');
	const choose = (name: string, content: string) =>
		page.getByTestId('import-file').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
	await choose('x.json', '{"hello": 1}');
	await expect(page.getByRole('alert')).toContainText('none of the kinds');
	await choose('x.zip', 'PK\u0003\u0004 broken');
	await expect(page.getByRole('alert')).toContainText(/damaged|none of the kinds/);
	await choose('x.json', '');
	await expect(page.getByRole('alert')).toContainText('nothing in this file');
});

test('E2E-32 the sample of a real tree: branches walked, the leaf where it was', async ({ app, page }) => {
	const sample = join(samples, 'real/chatgpt/chatgpt-tree.json');
	test.skip(!existsSync(sample), 'the samples are not here');
	await app.open('/settings/data');
	await page.getByTestId('import-file').setInputFiles(sample);
	await expect(page.getByText('1 conversation with 11 messages was brought in.')).toBeVisible();
	await page.getByRole('link', { name: 'Open the first one' }).click();
	await expect(app.questions).toHaveCount(3);
	await expect(app.answers).toHaveCount(3);
	await expect(page.locator('.versions')).toHaveCount(2);
});
