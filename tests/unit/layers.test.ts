import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { layerOf, layers, mayImport, mayImportPackage, packages, pathOf, testFiles } from '../../layers.js';

test('every package that ships stands in the table, and no other but Svelte', () => {
	const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
	expect(Object.keys(packages).filter((name) => name !== 'svelte')).toEqual(Object.keys(dependencies).sort());
});

test('what the tables allow is a layer, or a folder or file that exists', () => {
	const allowed = [...Object.values(layers), ...Object.values(packages)].flat();
	const known = (name: string) =>
		name === 'core' ||
		name in layers ||
		existsSync(pathOf(name)) ||
		existsSync(`${pathOf(name)}.ts`) ||
		existsSync(`${pathOf(name)}.svelte.ts`);
	expect(allowed.filter((name) => !known(name))).toEqual([]);
});

test('the innermost layer of a file counts', () => {
	expect(layerOf('src/lib/engine/runs.ts')).toBe('engine');
	expect(layerOf('src/lib/engine/commands/ping.ts')).toBe('engine/commands');
	expect(layerOf('src/lib/storage/queries/leaf.ts')).toBe('storage/queries');
	expect(layerOf('src/routes/+page.svelte')).toBe('routes');
	expect(layerOf('src/lib/elsewhere/a.ts')).toBeUndefined();
});

test('a layer may import itself, core/std and what its line says', () => {
	expect(mayImport('src/lib/client/session.ts', 'src/lib/storage/queries/leaf.ts')).toBe(true);
	expect(mayImport('src/lib/client/session.ts', 'src/lib/storage/rows.ts')).toBe(true);
	expect(mayImport('src/lib/client/session.ts', 'src/lib/storage/writes/lead.ts')).toBe(false);
	expect(mayImport('src/lib/client/session.ts', 'src/lib/storage/observed-database.ts')).toBe(false);
	expect(mayImport('src/lib/platform/clock.ts', 'src/lib/core/std/result.ts')).toBe(true);
	expect(mayImport('src/lib/platform/clock.ts', 'src/lib/core/domain/ids.ts')).toBe(false);
	expect(mayImport('src/routes/+layout.svelte', 'src/app.css')).toBe(true);
	expect(mayImport('src/service-worker/index.ts', 'src/lib/core/protocol/commands.ts')).toBe(false);
});

test('a package is used where its line says; one without a line is not judged', () => {
	expect(mayImportPackage('src/lib/storage/database.ts', 'dexie')).toBe(true);
	expect(mayImportPackage('src/lib/client/session.ts', 'dexie')).toBe(false);
	expect(mayImportPackage('src/lib/storage/database.ts', 'dexie-observable')).toBe(false);
	expect(mayImportPackage('src/lib/ui/thread/Other.svelte', 'highlight.js/lib/core')).toBe(false);
	expect(mayImportPackage('src/relay/main.ts', '@hono/node-server/serve-static')).toBe(true);
	expect(mayImportPackage('src/lib/client/session.ts', '$app/paths')).toBe(true);
});

test('files of tests are told by their names', () => {
	const isTest = (path: string) => new RegExp(testFiles).test(path);
	expect(
		[
			'src/lib/a.test.ts',
			'src/lib/a.svelte.test.ts',
			'src/lib/a.bench.ts',
			'src/lib/a.setup.ts',
			'src/lib/test-a.ts',
			'src/lib/b-vectors.ts'
		].filter((path) => !isTest(path))
	).toEqual([]);
	expect(['src/lib/engine/providers/test-connection.ts', 'src/lib/latest-a.ts', 'src/lib/a.ts'].filter(isTest)).toEqual([]);
});
