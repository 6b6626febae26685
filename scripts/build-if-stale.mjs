// Builds the app when the build is older than what it is made of; `npm run build` builds it always. The build's version is a
// hash of exactly what it is made of, so that an unchanged app is no update.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

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
const ignored = /(\.test\.ts|\.bench\.ts|\.setup\.ts|SPEC\.md|[/\\]generated[/\\].*|[/\\]project\.inlang[/\\](?!settings\.json).*)$/;

function filesOf(path) {
	if (!existsSync(path)) return [];
	const entries = readdirSync(path, { withFileTypes: true });
	return entries.flatMap((entry) => (entry.isDirectory() ? filesOf(join(path, entry.name)) : [join(path, entry.name)]));
}

/** Hex hash of everything that the build is made of. */
export function sourceHash() {
	const hash = createHash('sha256');
	const files = sources.flatMap((path) => (/\.[a-z]+$/.test(path) ? [path] : filesOf(path))).filter((path) => !ignored.test(path));
	hash.update(process.env.BOUGH_BASE_PATH ?? '').update('\0');
	for (const path of files.sort()) hash.update(path).update('\0').update(readFileSync(path)).update('\0');
	return hash.digest('hex');
}

/** Answers whether it built. Throws when the build fails. */
export function buildIfStale() {
	const source = sourceHash();
	if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === source) return false;
	console.log('Building Bough (a few seconds).');
	build(source, 'error', ['ignore', 'ignore', 'inherit']);
	return true;
}

function build(source, logLevel, stdio) {
	const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
	execFileSync('npx', ['vite', 'build', '--logLevel', logLevel], {
		stdio,
		shell: process.platform === 'win32',
		env: { ...process.env, BOUGH_VERSION: process.env.BOUGH_VERSION ?? `${version}-${source.slice(0, 8)}` }
	});
	writeFileSync(stampPath, source);
}

if (process.argv.includes('--always') && process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	build(sourceHash(), 'warn', 'inherit');
}
