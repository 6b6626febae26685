// `npm run verify`: every check of the project, one after the other, as CI runs them. The first that fails stops the rest
// (`--all` goes on); at the end a table of what took how long.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

const steps = [
	{ name: 'format', what: 'prettier', command: 'prettier --check .', mend: 'npm run format' },
	{ name: 'types', what: 'svelte-check', command: 'npm run --silent types' },
	{ name: 'lint', what: 'eslint', command: 'npm run --silent lint', mend: 'npm run lint -- --fix' },
	{ name: 'layers', what: 'dependency-cruiser', command: 'npm run --silent layers' },
	{ name: 'unused', what: 'knip', command: 'npm run --silent unused' },
	{ name: 'unit', what: 'vitest in Node', command: 'npm run --silent unit' },
	{ name: 'build', what: 'vite', command: 'npm run --silent build' },
	{ name: 'size', what: 'gzip budgets', command: 'npm run --silent size' }
];

const goesOn = process.argv.includes('--all');
// A type that changed elsewhere does not show in a cached lint: on CI nothing is taken from a cache.
if (process.env.CI) rmSync('node_modules/.cache/eslint', { recursive: true, force: true });

const results = [];
for (const step of steps) {
	process.stdout.write(`${step.name.padEnd(8)} ${step.what} … `);
	const startMs = performance.now();
	const run = spawnSync(step.command, {
		shell: true,
		encoding: 'utf8',
		maxBuffer: 64 * 1024 * 1024,
		env: { ...process.env, PATH: `${resolve('node_modules/.bin')}${delimiter}${process.env.PATH}` }
	});
	const seconds = (performance.now() - startMs) / 1000;
	const isGood = run.status === 0;
	results.push({ ...step, seconds, isGood });
	console.log(`${isGood ? 'good' : 'FAILED'} (${seconds.toFixed(1)} s)`);
	if (isGood) {
		if (step.name === 'size') console.log(run.stdout.trimEnd());
		continue;
	}
	console.log(`${run.stdout}${run.stderr}`.trimEnd());
	console.log(`\n${step.name} failed. Again: ${step.command}${step.mend ? ` · to mend it: ${step.mend}` : ''}\n`);
	if (!goesOn) break;
}

console.log('\ncheck     result      time');
for (const step of steps) {
	const result = results.find(({ name }) => name === step.name);
	const outcome = !result ? 'not run' : result.isGood ? 'good' : 'FAILED';
	console.log(`${step.name.padEnd(9)} ${outcome.padEnd(8)} ${result ? `${result.seconds.toFixed(1).padStart(6)} s` : ''}`.trimEnd());
}
const failed = results.filter(({ isGood }) => !isGood).map(({ name }) => name);
console.log(failed.length === 0 ? `\nAll ${steps.length} checks are good.` : `\nFailed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
