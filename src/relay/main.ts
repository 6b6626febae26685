// Serves the build and the relay's health page on one port. RUNS IN NODE, without a build step of its own.
import { serve } from '@hono/node-server';
import { createRelay } from './create-relay.ts';

// An empty PORT is none.
const wantedPort = Number(process.env['PORT'] || 4173);
const root = process.env['BOUGH_BUILD'] ?? 'build';
/** How many ports are tried when the first one is taken. */
const portTries = 20;

if (!Number.isInteger(wantedPort) || wantedPort < 0 || wantedPort > 65535) {
	console.error(`PORT is ${process.env['PORT']}, which is no port. Give a number from 1 to 65535.`);
	process.exit(1);
}

const app = createRelay({ root });

/** Whether what listens there is Bough, by its health page. */
async function isBough(port: number): Promise<boolean> {
	try {
		const response = await fetch(`http://127.0.0.1:${port}/api/health`, { signal: AbortSignal.timeout(1_000) });
		const health: unknown = await response.json();
		return typeof health === 'object' && health !== null && 'name' in health && health.name === 'bough';
	} catch {
		return false; // somebody else, who speaks another language
	}
}

function listen(port: number, triesLeft: number): void {
	const server = serve({ fetch: app.fetch, port, hostname: process.env['HOST'] ?? '127.0.0.1' }, (info) => {
		console.log(`Bough is at http://localhost:${info.port}/ (stop it with Ctrl+C)`);
	});
	server.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code === 'EADDRINUSE' && triesLeft > 0) {
			void isBough(port).then((isOurs) => {
				console.log(
					isOurs
						? `Bough is already running at http://localhost:${port}/. Another address has conversations of its own; trying port ${port + 1}.`
						: `Port ${port} is taken; trying ${port + 1}.`
				);
				listen(port + 1, triesLeft - 1);
			});
			return;
		}
		console.error(error.code === 'EACCES' ? `Port ${port} is not allowed to you. Give another one: PORT=8080 npm start` : error.message);
		process.exit(1);
	});
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		process.once(signal, () => {
			server.close(() => process.exit(0));
			// An open browser tab keeps its connection alive; it shall not keep the server.
			if ('closeAllConnections' in server) server.closeAllConnections();
		});
	}
}

listen(wantedPort, portTries);
