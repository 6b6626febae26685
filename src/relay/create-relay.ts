// The relay as a web handler: today the build with the right headers and a health page; sync joins it later. RUNS IN NODE.
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RelayOptions {
	/** Folder of the build, relative to the working folder or absolute. */
	readonly root: string;
}

/** The policy that the build wrote into its page, sent as a header too: a worker takes its own only from a header. */
function policyOf(page: string): string | null {
	const match = /<meta http-equiv="content-security-policy" content="([^"]*)"/i.exec(page);
	return match?.[1]
		? `${match[1].replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&')}; frame-ancestors 'none'`
		: null;
}

/** Throws when there is no build in `root`. */
export function createRelay({ root }: RelayOptions): Hono {
	const shellPath = join(root, 'index.html');
	if (!existsSync(shellPath)) throw new Error(`There is no build in ${root}: run "npm run build" first, or "npm start", which does it.`);
	const app = new Hono();
	app.get('/api/health', (context) => context.json({ ok: true, name: 'bough', node: process.version }));
	app.use('*', async (context, next) => {
		await next();
		const { path } = context.req;
		const policy = policyOf(readFileSync(shellPath, 'utf8'));
		if (policy !== null) context.header('content-security-policy', policy);
		context.header('x-content-type-options', 'nosniff');
		context.header('referrer-policy', 'no-referrer');
		context.header('cross-origin-opener-policy', 'same-origin');
		if (path.startsWith('/_app/immutable/')) context.header('cache-control', 'public, max-age=31536000, immutable');
		else if (!path.startsWith('/api/')) context.header('cache-control', 'no-cache');
	});
	app.use('*', serveStatic({ root, precompressed: true }));
	app.get('*', (context) => {
		// A missing file is missing; anything else is a page of the app.
		if (/\.[a-z0-9]+$/i.test(context.req.path)) return context.notFound();
		return context.html(readFileSync(join(root, '200.html'), 'utf8'));
	});
	return app;
}
