// `npm run bench [-- --only NAME[,NAME]] [--json FILE] [--update-baselines]`: measures in a real Chromium, production build, real IndexedDB. Ratios
// come from one run that takes the two sides in turns; each benchmark checks its own result and fails when that is wrong.
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { chromiumArguments, chromiumPath } from '../../scripts/browsers.mjs';
import { buildIfStale } from '../../scripts/build-if-stale.mjs';
import { openToPainted, sendToPainted, switchToPainted } from './painted.mjs';

const option = (name) => {
	const at = process.argv.indexOf(name);
	return at < 0 ? undefined : process.argv[at + 1];
};
const only = option('--only')?.split(',');
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const percentile95 = (values) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];
const ratio = ({ ours, theirs }) => median(ours) / median(theirs);

async function serveBundle() {
	const outDir = join(mkdtempSync(join(tmpdir(), 'bough-bench-')), 'page');
	await build({
		configFile: false,
		logLevel: 'error',
		plugins: [svelte({ configFile: false, compilerOptions: { runes: true } })],
		build: { outDir, emptyOutDir: true, modulePreload: false, lib: { entry: 'tests/bench/page.ts', formats: ['es'], fileName: 'page' } }
	});
	const types = { '.js': 'text/javascript', '.css': 'text/css' };
	const server = createServer((request, response) => {
		const path = new URL(request.url, 'http://x').pathname;
		// An isolated page has a clock of 5 µs instead of 100, which is a tenth of what is measured.
		response.setHeader('cross-origin-opener-policy', 'same-origin').setHeader('cross-origin-embedder-policy', 'require-corp');
		if (path === '/')
			return response
				.setHeader('content-type', 'text/html')
				.end('<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');
		try {
			response.setHeader('content-type', types[extname(path)] ?? 'text/plain').end(readFileSync(join(outDir, path)));
		} catch {
			response.writeHead(404).end();
		}
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { url: `http://localhost:${server.address().port}/`, close: () => server.close() };
}

const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
const bundle = await serveBundle();
const page = await browser.newPage();
await page.goto(bundle.url);
await page.waitForFunction(() => 'bench' in globalThis);
const call = (name, ...args) => page.evaluate(([name, args]) => globalThis.bench[name](...args), [name, args]);

const benchmarks = [
	{
		name: 'append-vs-raw-idb',
		unit: 'ratio',
		goal: '<= 2',
		against: 'the same rows by plain IndexedDB, strict',
		run: async () => call('appendVsRaw', 200).then((pair) => [ratio(pair), pair])
	},
	{
		name: 'observed-write-vs-plain',
		unit: 'ratio',
		goal: 'reported',
		against: 'the same append without the change feed',
		run: async () => call('observedVsPlain', 200).then((pair) => [ratio(pair), pair])
	},
	{
		name: 'append-at-10k-vs-10',
		unit: 'ratio',
		goal: '<= 1.1',
		against: 'append in a thread of 10 nodes',
		run: async () => call('appendAtSizes', 10_000, 10, 200).then((pair) => [ratio(pair), pair])
	},
	{
		name: 'open-window-20k-vs-1k',
		unit: 'ratio',
		goal: '<= 1.3',
		against: 'the newest 30 rows of a thread of 1,000',
		run: async () => call('openWindow', 20_000, 1_000, 40).then((pair) => [ratio(pair), pair])
	},
	{
		name: 'context-10k-ms',
		unit: 'ms',
		goal: '<= 30',
		against: null,
		run: async () => call('context', 10_000, 15).then((times) => [median(times), { ours: times }])
	},
	{
		name: 'stream-delta-50k-ms',
		unit: 'ms',
		goal: '<= 2',
		against: null,
		run: async () => call('streamDelta', 50_000, 2_000, 60).then((pair) => [median(pair.ours), pair])
	},
	{
		name: 'stream-delta-50k-vs-2k',
		unit: 'ratio',
		goal: '<= 2',
		against: 'the same delta at 2,000 characters',
		run: async () => call('streamDelta', 50_000, 2_000, 60).then((pair) => [ratio(pair), pair])
	},
	{
		name: 'open-200k-answer-longest-task-ms',
		unit: 'ms',
		goal: 'reported',
		against: 'the same answer drawn at once',
		run: async () => call('openAnswer', 200_000, 3).then((pair) => [median(pair.ours), pair])
	},
	{
		name: 'send-to-painted-ms',
		unit: 'ms',
		goal: '<= 100',
		against: null,
		run: async () => sendToPainted(browser, 12).then((times) => [median(times), { ours: times }])
	},
	{
		name: 'open-5000-painted-p95-ms',
		unit: 'ms',
		goal: '<= 50',
		against: null,
		run: async () => openToPainted(browser, 5_000, 40).then((times) => [percentile95(times), { ours: times }])
	},
	{
		name: 'branch-switch-5k-painted-ms',
		unit: 'ms',
		goal: '<= 50',
		against: null,
		run: async () => switchToPainted(browser, 5_000, 20).then((times) => [median(times), { ours: times }])
	},
	{
		name: 'first-load-js-gzip-kb',
		unit: 'kB',
		goal: '<= 150',
		against: null,
		run: async () => {
			buildIfStale();
			const file = join(mkdtempSync(join(tmpdir(), 'bough-size-')), 'size.json');
			execFileSync(process.execPath, ['scripts/size.mjs', '--json', file], { stdio: ['ignore', 'ignore', 'inherit'] });
			const sizes = JSON.parse(readFileSync(file, 'utf8'));
			return [sizes.start.bytes / 1000, {}];
		}
	}
];

const results = [];
for (const { name, unit, goal, against, run } of benchmarks) {
	if (only && !only.includes(name)) continue;
	const [value, samples] = await run();
	const rounded = Math.round(value * 1000) / 1000;
	results.push({ name, value: rounded, unit, goal, against, samples });
	const medians = samples.ours
		? `  (median ${median(samples.ours).toFixed(2)} ms${samples.theirs ? ` against ${median(samples.theirs).toFixed(2)} ms` : ''})`
		: '';
	console.log(`${name.padEnd(32)} ${String(rounded).padStart(8)} ${unit.padEnd(6)} goal ${goal}${medians}`);
}

const machine = {
	cpu: cpus()[0]?.model ?? 'unknown',
	cores: cpus().length,
	node: process.version,
	browser: `Chromium ${browser.version()}`
};
const baselines = 'tests/bench/baselines.json';
if (process.argv.includes('--update-baselines')) {
	const kept = JSON.parse(existsSync(baselines) ? readFileSync(baselines, 'utf8') : '{}');
	for (const { name, value } of results) kept[name] = value;
	writeFileSync(baselines, `${JSON.stringify(kept, null, '\t')}\n`);
}
const file = option('--json');
if (file) writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, '\t')}\n`);
await browser.close();
bundle.close();
