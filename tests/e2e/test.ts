// Every journey's surroundings: the app in a fresh profile, a real model server of its own, and no error in the console.
import { test as base, expect } from '@playwright/test';
import { startModelServer, type ModelServer } from '../fixtures/model-server/start-model-server.ts';
import { App } from './app.ts';

interface Fixtures {
	readonly app: App;
	readonly models: ModelServer;
	/** Errors that the page has told the console; a test that expects some empties it. */
	readonly problems: string[];
}

export const test = base.extend<Fixtures>({
	models: async ({}, use) => {
		const server = await startModelServer();
		await use(server);
		await server.close();
	},
	problems: async ({}, use) => {
		const problems: string[] = [];
		await use(problems);
		expect(problems, 'errors in the console').toEqual([]);
	},
	app: async ({ page, problems }, use) => {
		page.on('pageerror', (error) => problems.push(error.message));
		page.on('console', (message) => {
			// A failing request is the browser's to report and the app's to explain.
			if (message.type() === 'error' && !/Failed to load resource|net::ERR|NS_ERROR|Cross-Origin Request Blocked|CORS/.test(message.text()))
				problems.push(message.text());
		});
		await use(new App(page));
	}
});

export { expect };
