// The app as a person handles it, for the journeys.
import { expect, type Locator, type Page } from '@playwright/test';
import { chatGptConversation, type ChatGptTurn } from '../fixtures/chatgpt-conversation.ts';

export class App {
	/** `origin`: for pages whose context has no base URL of its own. */
	constructor(
		readonly page: Page,
		readonly origin = ''
	) {}

	get composer(): Locator {
		return this.page.locator('#composer');
	}
	get questions(): Locator {
		return this.page.locator('article.question');
	}
	get answers(): Locator {
		return this.page.locator('article.answer');
	}
	get stopButton(): Locator {
		return this.page.getByRole('button', { name: 'Stop the answer' });
	}

	async open(path = '/'): Promise<void> {
		await this.page.goto(path);
		await expect(this.composer.or(this.page.getByRole('heading', { level: 1 })).first()).toBeVisible();
	}

	/** Sets a connection up in the settings and makes it answer. `model` as tests/fixtures/model-server understands it. */
	async connect(baseUrl: string, model: string, options: { readonly key?: string; readonly silenceSeconds?: number } = {}): Promise<void> {
		const { page } = this;
		await page.goto(`${this.origin}/settings/connections`);
		await page.getByRole('button', { name: 'Add a connection' }).click();
		await page.getByLabel('Name', { exact: true }).fill('Test server');
		await page.getByLabel('Base URL').fill(baseUrl);
		if (options.key !== undefined) await page.getByLabel('Key', { exact: true }).fill(options.key);
		await page.getByLabel('Model', { exact: true }).fill(model);
		if (options.silenceSeconds !== undefined) {
			await page.getByText('Waiting times').click();
			for (const label of ['Give up when nothing', 'Give up after a silence']) {
				// Filling a number field appends in Firefox.
				await page.getByLabel(label).click();
				await page.keyboard.press('ControlOrMeta+A');
				await page.keyboard.type(String(options.silenceSeconds));
			}
		}
		await page.getByRole('button', { name: 'Save', exact: true }).click();
		// This one's row: another connection may have been in use before.
		await expect(page.locator('li.card', { hasText: baseUrl.replace(/\/+$/, '') }).getByText('Used for new questions')).toBeVisible();
	}

	/** Imports a conversation and opens it; `current` is the turn that it ends with in view. */
	async bringIn(title: string, turns: readonly ChatGptTurn[], current: string): Promise<void> {
		const { page } = this;
		await page.goto('/settings/data');
		const buffer = Buffer.from(JSON.stringify([chatGptConversation(title, turns, current)]));
		await page.getByTestId('import-file').setInputFiles({ name: 'conversations.json', mimeType: 'application/json', buffer });
		await page.locator('main a[href*="/t/"]').click({ timeout: 60_000 });
		await expect(page.locator('article').first()).toBeVisible();
	}

	/** Sends a message and waits until it is in the thread. */
	async ask(text: string): Promise<void> {
		const before = this.page.url().includes('/t/') ? await this.questions.count() : 0;
		await this.composer.fill(text);
		await this.composer.press('Enter');
		await expect(this.page).toHaveURL(/\/t\//);
		await expect(this.questions).toHaveCount(before + 1);
		await expect(this.questions.last()).toContainText(text);
	}

	/** Waits until nothing is being written any more. */
	async settled(): Promise<void> {
		await expect(this.page.locator('[role=log]')).toHaveAttribute('aria-busy', 'false');
		await expect(this.page.locator('article[aria-busy=true]')).toHaveCount(0);
	}

	async askAndWait(text: string): Promise<void> {
		await this.ask(text);
		await this.settled();
	}

	/** Presses a button under a message; those under earlier ones show only on hover. A toast in the way is closed first. */
	async press(message: Locator, name: string): Promise<void> {
		const toasts = this.page.locator('[data-sonner-toast] [data-close-button]');
		while ((await toasts.count()) > 0) {
			const count = await toasts.count();
			await toasts.first().click();
			await expect.poll(() => toasts.count()).toBeLessThan(count);
		}
		await message.hover();
		await message.getByRole('button', { name, exact: true }).click();
	}

	async edit(question: Locator, text: string): Promise<void> {
		await this.press(question, 'Edit');
		await question.getByLabel('New version of the message').fill(text);
		await question.getByRole('button', { name: 'Send as a new version' }).click();
	}

	/** `1/2` and the like, of one message. */
	place(message: Locator): Locator {
		return message.locator('.versions .place');
	}

	step(message: Locator, step: -1 | 1): Locator {
		return message.locator(`.versions [data-step="${step}"]`);
	}

	/** What the branch in view says, in order. */
	texts(): Promise<string[]> {
		return this.page.locator('article .bubble, article .markdown').allInnerTexts();
	}
}

/** Waits until the page's service worker serves it. */
export async function isServedOffline(page: Page): Promise<void> {
	await page.evaluate(async () => {
		await navigator.serviceWorker.ready;
		if (!navigator.serviceWorker.controller)
			await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
	});
}
