// The way into `npm start` and `npm test` for any Node from 18 on: sees to the packages first, then runs the script with the
// Node that they bring where the machine's own is too old. Old JavaScript on purpose, without any package.
const { spawn, spawnSync } = require('node:child_process');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createHash } = require('node:crypto');
const { join } = require('node:path');

const root = join(__dirname, '..');
process.chdir(root);

// npm keeps a copy of the lock inside node_modules, but other tools touch it: a stamp of our own says what was installed.
const lockHash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
const stampPath = join('node_modules', '.bough-installed');
const isInstalled = existsSync(stampPath) && readFileSync(stampPath, 'utf8') === lockHash;
if (!isInstalled) {
	console.log(
		existsSync('node_modules') ? 'The packages have changed: installing.' : 'First start: installing the packages (about a minute).'
	);
	const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
		stdio: 'inherit',
		shell: process.platform === 'win32'
	});
	if (install.status !== 0) {
		console.error('The packages could not be installed. Is there a network? Then look at the lines above.');
		process.exit(install.status || 1);
	}
	writeFileSync(stampPath, lockHash);
}

const ownNode = join(root, 'node_modules', '.bin', 'node');
const node = existsSync(ownNode) ? ownNode : process.execPath;
const [script, ...args] = process.argv.slice(2);
const run = spawn(node, [script, ...args], {
	stdio: 'inherit',
	env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` }
});
// A stop reaches the script whichever way it comes: as a signal, or as the end of npm, whose shell does not pass signals on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => run.kill(signal));
const parent = process.ppid;
setInterval(() => {
	if (process.ppid !== parent) run.kill('SIGTERM');
}, 500).unref();
run.on('error', (error) => {
	console.error(error.message);
	process.exit(1);
});
run.on('exit', (code) => process.exit(code === null ? 1 : code));
