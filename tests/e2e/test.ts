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

/**
 * What Firefox says of a load that was cut, as leaving the page does (NS_BINDING_ABORTED) while a worker, a chunk or the icon
 * is still on its way. It has other words for a service worker that answered wrongly, and the file is asked for again below.
 */
const cutLoad =
	/^(?:Failed to load ‘(?<file>.+)’\. A ServiceWorker intercepted the request and encountered an unexpected error\.|error loading dynamically imported module: (?<module>.+))$/;

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
		const cutLoads = new Set<string>();
		const note = (text: string) => {
			const cut = cutLoad.exec(text)?.groups;
			if (cut) cutLoads.add((cut['file'] ?? cut['module'])!);
			else problems.push(text);
		};
		page.on('pageerror', (error) => note(error.message));
		page.on('console', (message) => {
			// A failing request is the browser's to report and the app's to explain.
			if (message.type() === 'error' && !/Failed to load resource|net::ERR|NS_ERROR|Cross-Origin Request Blocked|CORS/.test(message.text()))
				note(message.text());
		});
		await use(new App(page));
		for (const url of cutLoads) {
			const answer = await page.evaluate((url) => fetch(url).then((response) => response.status, String), url);
			if (answer !== 200) problems.push(`${url} was cut, and asked for again: ${answer}`);
		}
	}
});

export { expect };
