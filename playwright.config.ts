import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { chromiumArguments, chromiumPath, firefoxPath } from './scripts/browsers.mjs';

// A port of this run's own, so that two runs on one machine do not meet; the workers inherit it.
const port = (process.env['BOUGH_E2E_PORT'] ??= String(20_000 + Math.floor(Math.random() * 20_000)));
const firefox = firefoxPath();
const chromium = chromiumPath();
const chromiumLaunch = { args: chromiumArguments, ...(chromium ? { executablePath: chromium } : {}) };

const projects: PlaywrightTestConfig['projects'] = [
	{ name: 'chromium', grepInvert: /@firefox/, use: { browserName: 'chromium', launchOptions: chromiumLaunch } }
];
// Stock Firefox over WebDriver BiDi; journeys marked @chromium need its protocol.
if (firefox) {
	projects.push({
		name: 'firefox',
		grepInvert: /@chromium/,
		retries: 1,
		use: { browserName: 'firefox', channel: 'moz-firefox', launchOptions: { executablePath: firefox } }
	});
}

export default defineConfig({
	testDir: 'tests/e2e',
	testMatch: '**/*.test.ts',
	fullyParallel: true,
	workers: 2,
	timeout: 60_000,
	expect: { timeout: 15_000 },
	forbidOnly: process.env['CI'] !== undefined,
	// A machine that others use too may miss a moment once; what needs its second try is named as flaky in the report.
	retries: process.env['CI'] === undefined ? 0 : 1,
	reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
	outputDir: 'test-results/e2e',
	use: { baseURL: `http://localhost:${port}`, locale: 'en-US', trace: 'off' },
	webServer: {
		command: 'node --disable-warning=ExperimentalWarning src/relay/main.ts',
		env: { PORT: port },
		url: `http://localhost:${port}/api/health`,
		reuseExistingServer: false
	},
	projects
});
