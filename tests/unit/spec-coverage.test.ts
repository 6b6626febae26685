// Holds the rules and the tests together: every rule of a SPEC.md has a test whose name begins with its id, and every id that
// a test's name begins with is a rule.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const idPattern = '[A-Z]{2,6}-\\d{2,}';
const ruleLine = new RegExp(`^- (${idPattern}):? \\S`, 'gm');
/** The name is the first argument, of `it.each(…)` the one of the second call; a browser journey's is `test('…'`. */
const testName = new RegExp(`\\b(?:it|test|describe)\\b[^'"\`\\n]*\\(?\\s*['"\`](${idPattern})\\b`, 'g');
const nameAfterEach = new RegExp(`\\)\\(\\s*['"\`](${idPattern})\\b`, 'g');

const specFiles = globSync('src/**/SPEC.md').sort();
const testFiles = globSync(['src/**/*.test.ts', 'tests/**/*.test.ts']).sort();

function rulesOf(text: string): string[] {
	return [...text.matchAll(ruleLine)].map((match) => match[1] ?? '');
}

function testedIds(text: string): string[] {
	return [testName, nameAfterEach].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

const rules = specFiles.flatMap((path) => rulesOf(readFileSync(path, 'utf8')));
const tested = new Set(
	testFiles.filter((path) => !path.endsWith('spec-coverage.test.ts')).flatMap((path) => testedIds(readFileSync(path, 'utf8')))
);

describe('rules and tests', () => {
	it('every rule has a test', () => {
		expect(rules.length).toBeGreaterThan(100);
		expect(rules.filter((id) => !tested.has(id))).toEqual([]);
	});

	it('every id that a test begins with is a rule', () => {
		const known = new Set(rules);
		expect([...tested].filter((id) => !known.has(id)).sort()).toEqual([]);
	});

	it('no id is given twice', () => {
		expect(rules.filter((id, at) => rules.indexOf(id) !== at)).toEqual([]);
	});

	it('every way to name a test is read', () => {
		const source = [
			"it('AB-01: x', () => {",
			"\tit(\n\t\t'AB-02: x'",
			"it.each([['a']])('AB-03: x'",
			"test('AB-04: x'",
			'])("AB-05: x"',
			"expect('AB-06')"
		];
		expect(testedIds(source.join('\n')).sort()).toEqual(['AB-01', 'AB-02', 'AB-03', 'AB-04', 'AB-05']);
		expect(rulesOf('- AB-01: a rule\n- AB-02:\n text - AB-03: no rule')).toEqual(['AB-01']);
	});
});
