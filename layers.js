// Who may import what: the one statement of the architecture (docs/architecture.md) that tools read. dependency-cruiser checks
// it over everything (.dependency-cruiser.js), ESLint in the editor and for the type-only imports of a component
// (scripts/lint/borders.mjs).

/**
 * Which folders and files a layer may import, besides itself and core/std, which everything may. `a/b` stands for the folder
 * src/lib/a/b or the file src/lib/a/b.ts. Where layers lie in one another, the innermost counts.
 * @type {Record<string, readonly string[]>}
 */
export const layers = {
	'core/std': [],
	'core/domain': [],
	'core/context': ['core/domain'],
	'core/sync': ['core/domain'],
	'core/formats': ['core/domain'],
	'core/protocol': ['core/domain', 'core/context', 'core/sync'],
	platform: [],
	i18n: ['platform'],
	storage: ['core', 'platform'],
	// Reads and writes apart: a query never reaches a write.
	'storage/queries': ['core', 'platform', 'storage/database', 'storage/open-database', 'storage/rows'],
	'engine/agent': ['core'],
	'engine/import-files': ['core', 'platform'],
	'engine/providers': ['core', 'platform'],
	'engine/tools': ['core', 'platform'],
	'engine/secrets': ['core', 'platform', 'storage/database', 'storage/rows'],
	'engine/sync': ['core', 'platform', 'storage', 'engine/engine-deps'],
	// turns, branches and run-writes are the steps that several commands share.
	'engine/commands': [
		'core',
		'platform',
		'storage',
		'engine/engine-deps',
		'engine/turns',
		'engine/branches',
		'engine/run-writes',
		'engine/secrets'
	],
	engine: ['core', 'platform', 'storage'],
	search: ['core', 'platform', 'storage/database', 'storage/queries'],
	// Types and reads only: never a write, never the observed database.
	client: ['core', 'platform', 'storage/database', 'storage/open-database', 'storage/queries', 'storage/rows'],
	ui: ['core/domain', 'client', 'i18n'],
	routes: ['ui', 'client', 'i18n'],
	relay: ['core/protocol'],
	// It outlives any version of the app.
	'service-worker': []
};

/**
 * Which layers may import a package; whatever package.json has among its `dependencies` stands here.
 * @type {Record<string, readonly string[]>}
 */
export const packages = {
	'@hono/node-server': ['relay'],
	'@streamparser/json': ['engine/import-files'],
	'@zip.js/zip.js': ['engine/import-files'],
	'bits-ui': ['ui/primitives', 'ui/composer'],
	canonicalize: ['platform'],
	'd3-hierarchy': ['ui/tree'],
	dexie: ['storage'],
	'dexie-observable': ['storage/observed-database'],
	diff: ['client/word-differences'],
	dompurify: ['ui/markdown'],
	'highlight.js': ['ui/markdown'],
	hono: ['relay'],
	marked: ['ui/markdown'],
	minisearch: ['engine/providers/guide', 'search'],
	openai: ['engine/providers'],
	svelte: ['client', 'i18n', 'ui', 'routes'],
	'svelte-sonner': ['ui'],
	temml: ['ui/markdown'],
	uuid: ['platform'],
	virtua: ['ui/tree', 'ui/library'],
	'workbox-core': ['service-worker'],
	'workbox-precaching': ['service-worker'],
	'workbox-routing': ['service-worker'],
	'workbox-window': ['client'],
	zod: ['core/protocol']
};

/** Layers that do not lie in src/lib. */
const atTheTop = ['routes', 'relay', 'service-worker'];

/**
 * Files that only tests use: `x.test.ts`, `x.bench.ts`, `x.setup.ts`, `x-vectors.ts`, and `test-x.ts`, but for the one that
 * tests a person's connection. A regular expression.
 */
export const testFiles = '(\\.(test|bench|setup)\\.ts|/test-(?!connection\\.)[^/]+\\.ts|-vectors\\.ts)$';

/** The folder or file of a layer or of an entry of the tables, from the project's folder on and without the extension. */
export const pathOf = (name) => (atTheTop.includes(name.split('/')[0]) ? `src/${name}` : `src/lib/${name}`);

/** Whether `path` (from the project's folder on, forward slashes) belongs to an entry of the tables. */
const belongsTo = (path, name) => path.startsWith(`${pathOf(name)}/`) || path.startsWith(`${pathOf(name)}.`);

/** The innermost layer of a file; undefined where it has none. */
export function layerOf(path) {
	return Object.keys(layers)
		.filter((name) => belongsTo(path, name))
		.sort((a, b) => b.length - a.length)[0];
}

/** Whether a file may import another one, both given from the project's folder on. */
export function mayImport(fromPath, toPath) {
	const layer = layerOf(fromPath);
	if (layer === undefined) return true;
	return [layer, 'core/std', ...layers[layer]].some((name) => belongsTo(toPath, name)) || toPath.endsWith('.css');
}

/** Whether a file may import a package, given as it is written in the import. */
export function mayImportPackage(fromPath, specifier) {
	const name = specifier
		.split('/')
		.slice(0, specifier.startsWith('@') ? 2 : 1)
		.join('/');
	return !(name in packages) || packages[name].some((layer) => belongsTo(fromPath, layer));
}
