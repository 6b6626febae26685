// A server of the build of its own, for journeys that stop it, or change what it serves.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';

export interface OwnRelay {
	readonly url: string;
	stop(): Promise<void>;
	/** Serves again at the same address. */
	start(): Promise<void>;
}

async function freePort(): Promise<number> {
	const probe = createServer();
	await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
	const address = probe.address();
	await new Promise((resolve) => probe.close(resolve));
	if (address === null || typeof address === 'string') throw new Error('no port');
	return address.port;
}

export async function startRelay(build = 'build'): Promise<OwnRelay> {
	const port = await freePort();
	let running: ChildProcess | null = null;
	const start = async () => {
		const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/relay/main.ts'], {
			env: { ...process.env, PORT: String(port), BOUGH_BUILD: build },
			stdio: ['ignore', 'pipe', 'inherit']
		});
		running = child;
		await new Promise<void>((resolve, reject) => {
			child.stdout.once('data', () => resolve());
			child.once('exit', () => reject(new Error('the relay ended at once')));
		});
	};
	await start();
	return {
		url: `http://localhost:${port}`,
		start,
		async stop() {
			const child = running;
			running = null;
			if (!child) return;
			const ended = new Promise((resolve) => child.once('exit', resolve));
			child.kill('SIGKILL');
			await ended;
		}
	};
}
