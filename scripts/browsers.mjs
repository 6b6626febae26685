// Where the browsers for tests are found, and how they are started. Read by vite.config.ts, playwright.config.ts, test.mjs and the benchmarks.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const firstExisting = (paths) => paths.find((path) => path && existsSync(path));

/** Path of a Chromium that exists: CHROMIUM_PATH, an installed one, Playwright's own download; undefined where there is none. */
export function chromiumPath() {
	return firstExisting([
		process.env.CHROMIUM_PATH,
		'/usr/bin/chromium',
		'/usr/bin/chromium-browser',
		'/usr/bin/google-chrome',
		'/opt/google/chrome/chrome',
		'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
		'/Applications/Chromium.app/Contents/MacOS/Chromium',
		'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
		playwrightsOwn('chromium')
	]);
}

/** Path of a stock Firefox (FIREFOX_PATH first), driven over WebDriver BiDi; undefined where there is none. */
export function firefoxPath() {
	return firstExisting([
		process.env.FIREFOX_PATH,
		'/usr/bin/firefox-esr',
		'/usr/bin/firefox',
		'/Applications/Firefox.app/Contents/MacOS/firefox'
	]);
}

/** Switches that keep a test browser quiet: no sandbox (tests run as root in containers), no traffic of its own. */
export const chromiumArguments = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync'
];

function playwrightsOwn(name) {
	try {
		return createRequire(import.meta.url)('playwright-core')[name].executablePath();
	} catch {
		return undefined; // not installed, or a platform that Playwright has no build for
	}
}

/** Whether a browser starts at all: a downloaded one may lack the system's libraries. */
function starts(path) {
	try {
		execFileSync(path, ['--version'], { stdio: 'ignore', timeout: 30_000 });
		return true;
	} catch {
		return false;
	}
}

/**
 * Installs a Chromium: Playwright's download where the network allows it, else Debian's package when run as root. Returns the
 * path or undefined.
 */
export function installChromium() {
	const tries = [
		[process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']],
		...(process.getuid?.() === 0
			? [
					['apt-get', ['update']],
					['apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk', 'fonts-dejavu-core']]
				]
			: [])
	];
	for (const [command, args] of tries) {
		try {
			execFileSync(command, args, { stdio: 'inherit', timeout: 600_000 });
		} catch {
			console.error(`${command} ${args.join(' ')} did not work.`);
		}
		const path = chromiumPath();
		if (path && starts(path)) return path;
	}
	return undefined;
}

/** Installs Debian's Firefox as root; elsewhere the Firefox journeys are left out and said so. */
export function installFirefox() {
	if (process.getuid?.() !== 0) return undefined;
	try {
		execFileSync('apt-get', ['update'], { stdio: 'ignore', timeout: 300_000 });
		execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'firefox-esr'], { stdio: 'inherit', timeout: 600_000 });
	} catch {
		console.error('Firefox could not be installed.');
	}
	return firefoxPath();
}
