// `npm test`: every test of the project. Finds or installs the browsers, runs the unit tests (Node) and the browser tests
// (Vitest), builds the app when it is stale, runs the journeys (Playwright), and ends with one line: `N passed, N failed`.
// `--only unit|browser|e2e` runs one of them; further words go to the runner: `npm test -- --only unit tree`.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { chromiumPath, firefoxPath, installChromium, installFirefox } from './browsers.mjs';
import { buildIfStale } from './build-if-stale.mjs';
import { countPlaywright, countVitest, countsLine, sumCounts } from './test-counts.mjs';

const failure = { passed: 0, failed: 1, skipped: 0 };
const none = { passed: 0, failed: 0, skipped: 0 };
const reports = 'test-results';

const suites = {
	unit: () => runVitest('unit'),
	browser: () => (needChromium() ? runVitest('browser') : failure),
	e2e: runJourneys
};

let rest = process.argv.slice(2);
let wanted = Object.keys(suites);
const onlyAt = rest.indexOf('--only');
if (onlyAt >= 0) {
	wanted = [rest[onlyAt + 1]];
	rest = rest.toSpliced(onlyAt, 2);
}
if (!wanted.every((name) => name in suites)) {
	console.error(`--only takes one of ${Object.keys(suites).join(', ')}.`);
	process.exit(2);
}

// A stop ends the runner too, and the browsers with it.
let runner;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
	process.on(signal, () => {
		runner?.kill(signal);
		process.exit(130);
	});
}

mkdirSync(reports, { recursive: true });
const results = [];
for (const name of wanted) {
	console.log(`\n── ${name} ──`);
	const startMs = performance.now();
	let counts;
	try {
		counts = await suites[name]();
	} catch (error) {
		console.error(error);
		counts = failure;
	}
	results.push({ name, counts, seconds: (performance.now() - startMs) / 1000 });
}

console.log();
for (const { name, counts, seconds } of results) console.log(`${name.padEnd(8)} ${countsLine(counts)} (${seconds.toFixed(1)} s)`);
const total = sumCounts(results.map(({ counts }) => counts));
const hasRun = total.passed + total.failed > 0;
if (!hasRun) console.error('No test ran.');
process.exitCode = total.failed > 0 || !hasRun ? 1 : 0;
console.log(countsLine(total));

/** Runs a program of a package with its output on the screen and answers its exit code. */
function run(program, args) {
	return new Promise((done) => {
		const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
		runner = child;
		child.on('error', (error) => {
			console.error(error);
			done(1);
		});
		child.on('exit', (code, signal) => {
			if (signal) console.error(`The runner was ended by ${signal}.`);
			done(code ?? 1);
		});
	});
}

function readReport(path) {
	try {
		return JSON.parse(readFileSync(path, 'utf8'));
	} catch {
		return null; // the runner has crashed before it could write one
	}
}

async function runVitest(project) {
	const report = `${reports}/${project}.json`;
	rmSync(report, { force: true });
	const code = await run('node_modules/vitest/vitest.mjs', [
		...['run', '--project', project, '--passWithNoTests', '--testTimeout', '20000'],
		...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
		...rest
	]);
	return countVitest(readReport(report), code);
}

async function runJourneys() {
	const hasJourneys = existsSync('playwright.config.ts') && filesIn('tests/e2e').some((name) => name.endsWith('.test.ts'));
	if (!hasJourneys) {
		console.log('There are no journeys.');
		return none;
	}
	if (!needChromium()) return failure;
	const hasFirefox = firefoxPath() ?? (process.env.CI ? installFirefox() : undefined);
	if (!hasFirefox) console.log('No Firefox here: its journeys are left out.');
	buildIfStale();
	const report = `${reports}/e2e.json`;
	rmSync(report, { force: true });
	const code = await run('node_modules/@playwright/test/cli.js', ['test', ...rest]);
	return countPlaywright(readReport(report), code);
}

function needChromium() {
	const path = chromiumPath() ?? installChromium();
	if (!path) console.error('There is no Chromium, and none could be installed. Install one, or set CHROMIUM_PATH.');
	return path !== undefined;
}

function filesIn(folder) {
	return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}
