// Builds the app when the build is older than what it is made of. The build's version is a hash of exactly that.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = [
	'src',
	'static',
	'scripts/sveltekit-with-config-file.mjs',
	'svelte.config.js',
	'vite.config.ts',
	'tsconfig.json',
	'package-lock.json'
];
const stampPath = 'build/.bough-source';
const ignored = /(\.test\.ts|\.bench\.ts|SPEC\.md|[/\\]generated[/\\].*|[/\\]project\.inlang[/\\](cache|README).*)$/;

function filesOf(path) {
	if (!existsSync(path)) return [];
	const entries = readdirSync(path, { withFileTypes: true });
	return entries.flatMap((entry) => (entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)]));
}

/** Hex hash of everything that the build is made of. */
export function sourceHash() {
	const hash = createHash('sha256');
	const files = sources.flatMap((path) => (/\.[a-z]+$/.test(path) ? [path] : filesOf(path))).filter((path) => !ignored.test(path));
	for (const path of files.sort()) hash.update(path).update('\0').update(readFileSync(path)).update('\0');
	return hash.digest('hex');
}

/** Answers whether it built. Throws when the build fails. */
export function buildIfStale() {
	const source = sourceHash();
	if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === source) return false;
	console.log('Building Bough (a few seconds).');
	const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
	execFileSync('npx', ['vite', 'build', '--logLevel', 'warn'], {
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32',
		env: { ...process.env, BOUGH_VERSION: process.env.BOUGH_VERSION ?? `${version}-${source.slice(0, 8)}` }
	});
	writeFileSync(stampPath, source);
	return true;
}
