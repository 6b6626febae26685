import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { playwright } from '@vitest/browser-playwright';
import Icons from 'unplugin-icons/vite';
import { defineConfig } from 'vitest/config';
import { chromiumArguments, chromiumPath } from './scripts/browsers.mjs';
import { sveltekitWithConfigFile } from './scripts/sveltekit-with-config-file.mjs';
import { messageOptions } from './scripts/compile-messages.mjs';
import svelteConfig from './svelte.config.js';

export default defineConfig({
	plugins: [paraglideVitePlugin(messageOptions), sveltekitWithConfigFile(svelteConfig), Icons({ compiler: 'svelte' })],
	worker: {
		format: 'es'
	},
	optimizeDeps: {
		// Made of components: they are compiled with ours, against the same Svelte.
		exclude: ['virtua'],
		include: [
			'@streamparser/json',
			'@zip.js/zip.js/lib/zip-core-native.js',
			'dexie',
			'dexie-observable',
			'openai',
			'zod/mini',
			'marked',
			'dompurify',
			'minisearch',
			'uuid',
			'canonicalize',
			'd3-hierarchy',
			'diff',
			'fast-check',
			'temml',
			'highlight.js/lib/core'
		]
	},
	test: {
		expect: { requireAssertions: true },
		projects: [
			{
				extends: true,
				test: {
					name: 'unit',
					environment: 'node',
					include: ['src/**/*.test.ts', 'tests/unit/**/*.test.ts', 'scripts/**/*.test.ts'],
					exclude: ['src/**/*.browser.test.ts', 'src/**/*.svelte.test.ts']
				}
			},
			{
				extends: true,
				test: {
					name: 'browser',
					include: ['src/**/*.browser.test.ts', 'src/**/*.svelte.test.ts', 'tests/contract/**/*.test.ts'],
					browser: {
						enabled: true,
						headless: true,
						screenshotFailures: false,
						provider: playwright({ launchOptions: { executablePath: chromiumPath(), args: chromiumArguments } }),
						instances: [{ browser: 'chromium' }]
					}
				}
			}
		]
	}
});
