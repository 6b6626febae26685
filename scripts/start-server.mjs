// The product's own server over the built app, on a free port, for scripts that look at the app.
import { spawn } from 'node:child_process';
import { buildIfStale } from './build-if-stale.mjs';

/** Resolves once it answers. `origin` has no slash at its end; `stop` ends the server. */
export async function startServer() {
	buildIfStale();
	const port = 20_000 + Math.floor(Math.random() * 20_000);
	const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/relay/main.ts'], {
		env: { ...process.env, PORT: String(port) },
		stdio: ['ignore', 'pipe', 'inherit']
	});
	await new Promise((resolve) => server.stdout.once('data', resolve));
	return { origin: `http://localhost:${port}`, stop: () => server.kill() };
}
