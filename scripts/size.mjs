// `npm run size`: what a person downloads, against the budgets in size-budgets.json. Sizes are gzip -9, one file at a time, in
// kB of 1000 bytes; what a page loads is read from the build's own files. Fails too when the service worker does not keep a
// script or a style. `--record` writes today's sizes beside the budgets,
// so that the next run says what grew; `--json FILE` writes them for other tools.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const budgetsPath = 'scripts/size-budgets.json';
const build = 'build';

/** The relative files that a module imports before it runs; `import()` is not among them. */
export function staticImports(code) {
	const found = code.matchAll(/(?:^|[;}\s])(?:import|export)(?:[\w$*\s{},]*?\bfrom)?\s*["'](\.{1,2}\/[^"']+)["']/g);
	return [...new Set([...found].map((match) => match[1]))];
}

/** The entries and all that they import before they run. `read` gets a path and answers its code. */
export function closureOf(entries, read) {
	const seen = new Set();
	const visit = (path) => {
		if (seen.has(path)) return;
		seen.add(path);
		for (const specifier of staticImports(read(path))) visit(posix.join(posix.dirname(path), specifier));
	};
	entries.forEach(visit);
	return [...seen];
}

/** The scripts and styles that a page asks for by itself: preloads, script tags and the imports of its inline script. */
export function loadedByPage(html, base = '/') {
	const links = [...html.matchAll(/<link\b[^>]*>/g)].map((match) => match[0]);
	const hrefs = (rel) => links.filter((link) => link.includes(`rel="${rel}"`)).flatMap((link) => /href="([^"]+)"/.exec(link)?.[1] ?? []);
	const imports = [...html.matchAll(/import\("([^"]+)"\)|<script[^>]*\bsrc="([^"]+)"/g)].map((match) => match[1] ?? match[2]);
	const inBuild = (path) => (path.startsWith(base) ? path.slice(base.length) : path.replace(/^\.?\//, ''));
	return { scripts: [...new Set([...hrefs('modulepreload'), ...imports].map(inBuild))], styles: hrefs('stylesheet').map(inBuild) };
}

/** All sizes of a build in bytes of gzip, each with the files that it is the sum of. */
function measure() {
	if (!existsSync(join(build, 'index.html'))) throw new Error('There is no build: run "npm run build" first.');
	const read = (path) => readFileSync(join(build, path), 'utf8');
	const sizes = new Map();
	const sizeOf = (path) => {
		if (!sizes.has(path)) sizes.set(path, gzipSync(readFileSync(join(build, path)), { level: 9 }).length);
		return sizes.get(path);
	};
	const sumOf = (files) => ({ bytes: files.reduce((sum, file) => sum + sizeOf(file), 0), files: files.length });
	const folder = (path) => (existsSync(join(build, path)) ? readdirSync(join(build, path)).map((name) => `${path}/${name}`) : []);
	const scripts = (path) => folder(path).filter((name) => name.endsWith('.js'));

	const page = loadedByPage(read('index.html'));
	const start = closureOf(page.scripts, read);
	const app = start.find((path) => path.includes('/entry/app.'));
	const threadNode = /"\/t\/\[threadId\]":\[(\d+)/.exec(read(app))?.[1];
	const thread = scripts('_app/immutable/nodes').filter((path) => path.includes(`/nodes/${threadNode}.`));
	if (threadNode === undefined || thread.length !== 1) throw new Error(`The page of a thread is not to be found in ${app}.`);
	const engine = scripts('_app/immutable/workers').filter((path) => path.includes('/engine.worker-'));
	if (engine.length !== 1) throw new Error('The engine worker is not to be found in the build.');
	const engineFiles = closureOf(engine, read);
	const threadFiles = closureOf(thread, read).filter((path) => !start.includes(path));
	const isEager = new Set([...start, ...threadFiles, ...engineFiles]);
	const lazy = ['chunks', 'nodes', 'workers', 'workers/chunks']
		.flatMap((name) => scripts(`_app/immutable/${name}`))
		.filter((path) => !isEager.has(path))
		.sort((a, b) => sizeOf(b) - sizeOf(a));
	const precached = [...new Set(read('service-worker.js').matchAll(/path:\s*[`"']([^`"']*)[`"']/g))].map((match) =>
		match[1].replace(/^\//, '')
	);
	const files = [...new Set(precached.map((path) => (path === '' ? 'index.html' : path)))].filter((path) => existsSync(join(build, path)));
	const isKept = new Set(files);
	const notKept = readdirSync(join(build, '_app/immutable'), { recursive: true, encoding: 'utf8' })
		.map((name) => `_app/immutable/${name.replaceAll('\\', '/')}`)
		.filter((path) => /\.(js|css)$/.test(path) && !isKept.has(path));
	if (notKept.length > 0) throw new Error(`The service worker does not keep ${notKept.join(', ')}: missing without a network.`);
	return {
		start: sumOf(start),
		'start-styles': sumOf(page.styles),
		thread: sumOf(threadFiles),
		engine: sumOf(engineFiles),
		'service-worker': sumOf(['service-worker.js']),
		'largest-lazy-chunk': sumOf(lazy.slice(0, 1)),
		precache: sumOf(files.filter((path) => !/\.(br|gz|map)$/.test(path)))
	};
}

const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

function main() {
	const measured = measure();
	const budgets = JSON.parse(readFileSync(budgetsPath, 'utf8'));
	const over = [];
	console.log(`${'what'.padEnd(42)} ${'gzip'.padStart(9)} ${'budget'.padStart(9)}   since the record`);
	for (const [name, { what, budgetBytes, recordedBytes }] of Object.entries(budgets)) {
		const { bytes, files } = measured[name];
		const grown = recordedBytes === undefined ? 0 : bytes - recordedBytes;
		const change = Math.abs(grown) < 50 ? '' : `${grown > 0 ? '+' : '−'}${kB(Math.abs(grown))}`;
		console.log(`${`${what} (${files})`.padEnd(42)} ${kB(bytes).padStart(9)} ${kB(budgetBytes).padStart(9)}   ${change}`);
		if (bytes > budgetBytes) over.push(`${what}: ${kB(bytes)} is ${kB(bytes - budgetBytes)} over its budget of ${kB(budgetBytes)}.`);
	}
	const jsonAt = process.argv.indexOf('--json');
	if (jsonAt > 0) writeFileSync(process.argv[jsonAt + 1], `${JSON.stringify(measured, null, '\t')}\n`);
	if (process.argv.includes('--record')) {
		for (const name of Object.keys(budgets)) budgets[name].recordedBytes = measured[name].bytes;
		writeFileSync(budgetsPath, `${JSON.stringify(budgets, null, '\t')}\n`);
	}
	for (const line of over) console.error(line);
	if (over.length > 0) process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main();
