import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import borders from '../../scripts/lint/borders.mjs';

/** Rule, message and mended code of the one thing that is wrong with `code` in the file `path`; null where nothing is. */
function lint(path: string, code: string) {
	const linter = new Linter({ cwd: '/project' });
	const config = {
		files: ['**/*.ts'],
		plugins: { bough: borders as never },
		rules: { 'bough/import-style': 'error', 'bough/layers': 'error' }
	} as const;
	const found = linter.verify(code, [config as never], { filename: `/project/${path}` });
	expect(found.length).toBeLessThan(2);
	const [first] = found;
	if (!first) return null;
	const fixed = first.fix ? code.slice(0, first.fix.range[0]) + first.fix.text + code.slice(first.fix.range[1]) : null;
	return { rule: first.ruleId, fixed };
}

test('an import that leaves the layer is written #lib/…', () => {
	expect(lint('src/lib/engine/runs.ts', "import { a } from '../platform/clock.ts';")).toEqual({
		rule: 'bough/import-style',
		fixed: "import { a } from '#lib/platform/clock.ts';"
	});
	expect(lint('src/lib/engine/runs.ts', "import { a } from '#lib/platform/clock.ts';")).toBeNull();
});

test('an import that stays is relative', () => {
	expect(lint('src/lib/engine/commands/ping.ts', "export { a } from '#lib/engine/engine-deps.ts';")).toEqual({
		rule: 'bough/import-style',
		fixed: "export { a } from '../engine-deps.ts';"
	});
	expect(lint('src/lib/engine/runs.ts', "import('#lib/engine/turns.ts');")?.fixed).toBe("import('./turns.ts');");
});

test('the extension is written, and $lib is not', () => {
	expect(lint('src/lib/engine/runs.ts', "import { a } from './turns';")?.rule).toBe('bough/import-style');
	expect(lint('src/lib/engine/runs.ts', "import { a } from '$lib/engine/turns.ts';")?.rule).toBe('bough/import-style');
});

test('the tables of layers.js hold for files and packages, but not for tests', () => {
	expect(lint('src/lib/ui/thread/a.ts', "import { a } from '#lib/storage/database.ts';")?.rule).toBe('bough/layers');
	expect(lint('src/lib/ui/thread/a.ts', "import { liveQuery } from 'dexie';")?.rule).toBe('bough/layers');
	expect(lint('src/lib/ui/thread/a.test.ts', "import { a } from '#lib/storage/database.ts';")).toBeNull();
	expect(lint('src/lib/ui/thread/a.ts', "import { a } from '#lib/client/session.ts';")).toBeNull();
});
