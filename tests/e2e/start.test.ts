// `npm start` as a person meets it: the address, a taken port, a wrong one, and the end.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import { expect, test } from '@playwright/test';

class Start {
	output = '';
	readonly ended: Promise<number | null>;
	readonly #process: ChildProcess;

	constructor(port: string) {
		this.#process = spawn(process.execPath, ['scripts/start.mjs'], { env: { ...process.env, PORT: port } });
		for (const stream of [this.#process.stdout, this.#process.stderr])
			stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
		this.ended = new Promise((resolve) => this.#process.once('exit', resolve));
	}

	async address(): Promise<string> {
		await expect.poll(() => this.output, { timeout: 60_000 }).toMatch(/Bough is at http:/);
		return /Bough is at (http:\S+)/.exec(this.output)?.[1] ?? '';
	}

	signal(signal: 'SIGINT' | 'SIGTERM'): void {
		this.#process.kill(signal);
	}
}

/** A port that somebody else listens at; one of the test's own, far from the ones that `npm test` uses. */
async function takenPort(): Promise<{ port: number; server: Server }> {
	const server = createServer((socket) => socket.end());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return { port: address.port, server };
}

test('E2E-90 @chromium the address is printed and answers, and Ctrl+C ends the server though a tab is open', async ({ page }) => {
	const start = new Start('0');
	const address = await start.address();
	await page.goto(address);
	await expect(page.locator('#composer')).toBeVisible();
	expect(await (await page.request.get(`${address}api/health`)).json()).toMatchObject({ name: 'bough' });
	start.signal('SIGINT');
	expect(await start.ended).toBe(0);
});

test('E2E-91 @chromium a taken port is said and the next one used, and a second start says that Bough runs already', async () => {
	const { port, server } = await takenPort();
	const first = new Start(String(port));
	const address = await first.address();
	expect(first.output).toContain(`Port ${port} is taken; trying ${port + 1}.`);
	const firstPort = new URL(address).port;
	const second = new Start(firstPort);
	expect(await second.address()).not.toBe(address);
	expect(second.output).toContain(`Bough is already running at http://localhost:${firstPort}/.`);
	for (const start of [first, second]) start.signal('SIGTERM');
	expect([await first.ended, await second.ended]).toEqual([0, 0]);
	server.close();
});

test('E2E-92 @chromium a PORT that is none is said', async () => {
	for (const port of ['abc', '70000', '-1', '1.5']) {
		const start = new Start(port);
		expect(await start.ended).toBe(1);
		expect(start.output).toContain(`PORT is ${port}, which is no port.`);
	}
});
