// What the linter holds: types used as they are meant, Svelte's own rules, the borders of layers.js, a pure core, components
// without effects, files of a readable length. Run by `npm run lint`.
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import borders from './scripts/lint/borders.mjs';

/** Globals that make a call answer differently the second time, or reach outside. */
const effects = [
	'fetch',
	'setTimeout',
	'setInterval',
	'queueMicrotask',
	'requestAnimationFrame',
	'localStorage',
	'sessionStorage',
	'indexedDB',
	'navigator',
	'document',
	'window',
	'location',
	'crypto',
	'performance',
	'Worker',
	'BroadcastChannel',
	'WebSocket',
	'console',
	'process'
];
const banned = (names, message) => ['error', ...names.map((name) => ({ name, message }))];
const tests = ['**/*.{test,bench,setup}.ts', '**/test-*.ts', '**/*-vectors.ts'];

/** Components that may be longer than 250 lines, each with its reason. */
const longComponents = [];

export default defineConfig(
	{
		ignores: [
			'build/',
			'.svelte-kit/',
			'node_modules/',
			'tools/',
			'test-results/',
			'playwright-report/',
			'coverage/',
			'src/lib/i18n/generated/'
		]
	},
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	js.configs.recommended,
	ts.configs.strictTypeChecked,
	svelte.configs.recommended,
	prettier,
	svelte.configs.prettier,
	{
		languageOptions: {
			globals: { ...globals.browser, ...globals.node },
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.svelte'] }
		},
		rules: {
			// TypeScript knows better.
			'no-undef': 'off',
			'max-lines': ['error', { max: 500 }],
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
			// A spread string is meant as its code points here.
			'@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
			// `() => send()` and `void value` (a reactive read) are how this code speaks.
			'@typescript-eslint/no-confusing-void-expression': 'off',
			'@typescript-eslint/no-meaningless-void-operator': 'off',
			// What comes from another tab, a server or an older browser is checked again, whatever its type promises.
			'@typescript-eslint/no-unnecessary-condition': 'off',
			'@typescript-eslint/no-unnecessary-boolean-literal-compare': 'off',
			'@typescript-eslint/no-unnecessary-type-conversion': 'off',
			'@typescript-eslint/no-useless-default-assignment': 'off'
		}
	},
	{
		files: ['**/*.svelte', '**/*.svelte.ts'],
		languageOptions: { parserOptions: { parser: ts.parser } }
	},
	{
		files: ['**/*.svelte'],
		rules: {
			// The linter cannot see the types of another component's props; svelte-check can.
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			// Components get their addresses as props; the routes resolve them.
			'svelte/no-navigation-without-resolve': 'off'
		}
	},
	{
		files: [...tests, 'tests/**/*.ts'],
		rules: {
			'@typescript-eslint/no-base-to-string': 'off',
			'@typescript-eslint/no-deprecated': 'off',
			'@typescript-eslint/no-misused-spread': 'off',
			'@typescript-eslint/unbound-method': 'off',
			'@typescript-eslint/no-invalid-void-type': 'off',
			'@typescript-eslint/no-non-null-assertion': 'off',
			// What a page answers to a test has no types.
			'@typescript-eslint/no-unsafe-argument': 'off',
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-unsafe-call': 'off',
			'@typescript-eslint/no-unsafe-member-access': 'off',
			'@typescript-eslint/no-unsafe-return': 'off',
			'@typescript-eslint/require-await': 'off'
		}
	},
	{
		// max_tokens: servers that speak the same protocol know no other word. keyCode: 229 is how Safari says that an input method composes.
		files: ['src/lib/engine/providers/openai-compatible.ts', 'src/lib/ui/primitives/is-submit-key.ts'],
		rules: { '@typescript-eslint/no-deprecated': 'off' }
	},
	// What the scripts hand to a configuration has no types.
	{ files: ['*.config.ts'], rules: { '@typescript-eslint/no-unsafe-assignment': 'off' } },
	// Playwright reads the fixtures that a function asks for from its pattern, empty or not.
	{ files: ['tests/e2e/**/*.ts'], rules: { 'no-empty-pattern': 'off' } },
	{ files: ['**/*.{js,mjs,cjs}'], extends: [ts.configs.disableTypeChecked] },
	{ files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
	{
		files: ['src/**/*.{ts,svelte}'],
		plugins: { bough: borders },
		rules: { 'bough/import-style': 'error', 'bough/layers': 'error' }
	},
	{
		files: ['src/lib/core/**/*.ts'],
		ignores: tests,
		rules: {
			'no-restricted-globals': banned(effects, 'core is pure: take it as an argument.'),
			'no-restricted-properties': [
				'error',
				{ object: 'Date', property: 'now', message: 'core is pure: take the time as an argument.' },
				{ object: 'Math', property: 'random', message: 'core is pure: take the randomness as an argument.' },
				...effects.map((property) => ({ object: 'globalThis', property, message: 'core is pure: take it as an argument.' }))
			],
			'no-restricted-syntax': [
				'error',
				{ selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'core is pure: take the time as an argument.' },
				{ selector: "CallExpression[callee.name='Date']", message: 'core is pure: take the time as an argument.' },
				{ selector: ':function[async=true]', message: 'core is synchronous.' },
				{ selector: 'ImportExpression', message: 'core is synchronous: import at the top.' }
			]
		}
	},
	{
		files: ['src/lib/ui/**/*.svelte', 'src/routes/**/*.svelte'],
		rules: {
			'no-restricted-globals': banned(
				[
					'fetch',
					'Worker',
					'SharedWorker',
					'WebSocket',
					'EventSource',
					'indexedDB',
					'localStorage',
					'sessionStorage',
					'caches',
					'BroadcastChannel',
					'setTimeout',
					'setInterval'
				],
				'Components talk to client/ only.'
			),
			'no-restricted-properties': [
				'error',
				...['window', 'globalThis', 'self'].flatMap((object) =>
					['fetch', 'indexedDB', 'localStorage', 'sessionStorage', 'setTimeout', 'setInterval'].map((property) => ({
						object,
						property,
						message: 'Components talk to client/ only.'
					}))
				)
			],
			'svelte/no-at-html-tags': 'error',
			'svelte/require-each-key': 'error'
		}
	},
	{
		files: ['**/*.svelte'],
		ignores: longComponents,
		rules: { 'max-lines': ['error', { max: 250 }] }
	}
);
