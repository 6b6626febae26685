// The walls between the layers, made from the table in layers.js. Run by `npm run layers`.
import { layers, packages, pathOf, testFiles } from './layers.js';

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Everything of an entry of the tables: the folder or the file of that name. */
const all = (name) => `^${escaped(pathOf(name))}(/|\\.)`;
const ruleName = (name) => name.replaceAll(/[@.]/g, '').replaceAll('/', '-');

const layerRules = Object.entries(layers).map(([name, mayImport]) => ({
	name: `${ruleName(name)}-imports`,
	severity: 'error',
	comment: `${name} may import ${['core/std', ...mayImport].join(', ')}`,
	from: {
		path: all(name),
		pathNot: [
			testFiles,
			...Object.keys(layers)
				.filter((other) => other.startsWith(`${name}/`))
				.map(all)
		]
	},
	to: { path: '^(src|tests|scripts)/', pathNot: [...[name, 'core/std', ...mayImport].map(all), '\\.css$'] }
}));

const packageRules = Object.entries(packages).map(([name, mayUse]) => ({
	name: `only-there-${ruleName(name)}`,
	severity: 'error',
	comment: `${name} is used in ${mayUse.join(', ')} only`,
	from: { path: '^src/', pathNot: [testFiles, ...mayUse.map(all)] },
	to: { path: `(^|/)node_modules/${escaped(name)}/`, pathNot: `node_modules/${escaped(name)}/.*node_modules/` }
}));

export default {
	forbidden: [
		...layerRules,
		...packageRules,
		{
			name: 'every-file-has-a-layer',
			severity: 'error',
			comment: 'a new folder in src/lib gets a line in layers.js first',
			from: {},
			to: { path: '^src/lib/', pathNot: Object.keys(layers).map(all) }
		},
		{
			name: 'core-is-pure',
			severity: 'error',
			comment: 'core uses no package, but core/protocol the schema library',
			from: { path: all('core'), pathNot: [testFiles] },
			to: { path: '.', pathNot: ['^src/', 'node_modules/zod/'] }
		},
		{
			name: 'node-only-in-relay',
			severity: 'error',
			comment: 'all else runs in a browser',
			from: { path: '^src/', pathNot: [testFiles, all('relay')] },
			to: { dependencyTypes: ['core'] }
		},
		{
			name: 'sveltekit-only-at-the-edge',
			severity: 'error',
			comment: '$app belongs to markup and to the service worker',
			from: { path: '^src/', pathNot: [testFiles, all('ui'), all('routes'), all('service-worker')] },
			to: { path: '^\\$app/' }
		},
		{
			name: 'commands-do-not-know-each-other',
			severity: 'error',
			comment: 'one command, one file; shared steps go to engine/turns or engine/run-writes',
			from: { path: '^src/lib/engine/commands/([^/.]+)', pathNot: [testFiles] },
			to: { path: '^src/lib/engine/commands/', pathNot: ['^src/lib/engine/commands/$1\\.'] }
		},
		{
			name: 'features-do-not-know-each-other',
			severity: 'error',
			comment: 'shared parts go to ui/primitives; only a screen puts features together',
			from: { path: '^src/lib/ui/([^/]+)/', pathNot: [testFiles, 'Screen\\.svelte$'] },
			to: { path: '^src/lib/ui/', pathNot: ['^src/lib/ui/$1/', '^src/lib/ui/(primitives|markdown)/'] }
		},
		{
			name: 'no-circular',
			severity: 'error',
			comment: 'a circle of values has no order to start in; types may refer to each other',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }
		},
		{
			name: 'not-to-tests',
			severity: 'error',
			comment: 'what ships needs no test file',
			from: { path: '^src/', pathNot: [testFiles] },
			to: { path: [testFiles, '^tests/'] }
		},
		{
			name: 'resolvable',
			severity: 'error',
			comment: 'an import that cannot be resolved cannot be checked',
			from: {},
			to: { couldNotResolve: true, pathNot: ['^\\$app/', '^~icons/'] }
		}
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		exclude: { path: '^src/lib/i18n/generated/(messages/|server\\.)' },
		tsConfig: { fileName: 'tsconfig.json' },
		tsPreCompilationDeps: true,
		enhancedResolveOptions: {
			extensions: ['.ts', '.svelte', '.js'],
			exportsFields: ['exports'],
			conditionNames: ['svelte', 'browser', 'import', 'types', 'default']
		},
		cache: { folder: 'node_modules/.cache/dependency-cruiser', strategy: 'content' }
	}
};
