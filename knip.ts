// What counts as used: everything that the app, the relay, the tests and the npm scripts reach. Run by `npm run unused`.
import type { KnipConfig } from 'knip';

const config: KnipConfig = {
	entry: [
		'src/relay/main.ts!',
		'src/lib/engine/engine.worker.ts!',
		'scripts/*.{mjs,cjs}',
		'tests/fixtures/model-server/main.ts',
		'tests/{bench,soak}/*.{mjs,ts}',
		'src/**/*.bench.ts'
	],
	project: ['src/**/*.{ts,js,svelte}', 'scripts/**/*.{mjs,cjs,ts}', 'tests/**/*.{ts,mjs}', '*.{js,ts}'],
	// Written by the build.
	ignore: ['src/lib/i18n/generated/**'],
	ignoreDependencies: [
		// Loaded by the icons' plugin for `~icons/lucide/…`.
		'@iconify-json/lucide',
		// Loaded by the messages' compiler (project.inlang/settings.json).
		'@inlang/plugin-message-format',
		// Asked for by name where it may be missing (scripts/browsers.mjs).
		'playwright-core'
	],
	ignoreIssues: {
		// assertNever: for a switch that acts (house style); the clock's limit is the sync's, which does not send yet.
		'src/lib/core/std/invariant.ts': ['exports'],
		'src/lib/core/domain/stamp.ts': ['exports']
	},
	ignoreBinaries: ['apt-get', 'mount', 'umount'],
	// A type that a function of the same file takes or gives may be exported for whoever wants to name it.
	ignoreExportsUsedInFile: { interface: true, type: true }
};

export default config;
