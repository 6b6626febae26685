// A browser of a test's own, on a profile that outlives it.
import { chromium as playwrightChromium, expect, type Browser, type Page } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chromiumArguments, chromiumPath } from '../../scripts/browsers.mjs';

export class KillableBrowser {
	#process: ChildProcess | null = null;
	#browser: Browser | null = null;
	constructor(readonly profile: string) {}

	/** The first page, with the browser started if it is not running. */
	async page(): Promise<Page> {
		if (!this.#browser) await this.#start();
		const context = this.#browser?.contexts()[0];
		if (!context) throw new Error('a browser has a context');
		return context.newPage();
	}

	async #start(): Promise<void> {
		const portFile = join(this.profile, 'DevToolsActivePort');
		await rm(portFile, { force: true });
		this.#process = spawn(
			chromiumPath() ?? '',
			[
				...chromiumArguments,
				'--headless=new',
				'--remote-debugging-port=0',
				'--lang=en-US',
				`--user-data-dir=${this.profile}`,
				'about:blank'
			],
			{
				stdio: 'ignore',
				detached: true
			}
		);
		await expect.poll(() => existsSync(portFile), { timeout: 30_000 }).toBe(true);
		await expect.poll(async () => (await readFile(portFile, 'utf8')).includes('\n')).toBe(true);
		const [port] = (await readFile(portFile, 'utf8')).split('\n');
		this.#browser = await playwrightChromium.connectOverCDP(`http://127.0.0.1:${port}`);
	}

	/** The whole process group, at once, as a power switch would. */
	async kill(): Promise<void> {
		const child = this.#process;
		if (child?.pid === undefined) return;
		const ended = new Promise((resolve) => child.once('exit', resolve));
		process.kill(-child.pid, 'SIGKILL');
		await ended;
		await this.#browser?.close().catch(() => undefined);
		this.#browser = null;
		this.#process = null;
	}
}
