import { expect, test } from 'vitest';
import { countPlaywright, countVitest, countsLine, sumCounts } from '../../scripts/test-counts.mjs';

const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map((each) => ({ status: each })) });
const vitest = (fields: object) => ({
	numPassedTests: 3,
	numFailedTests: 0,
	numPendingTests: 0,
	numTodoTests: 0,
	testResults: [],
	...fields
});
const playwright = (stats: object, errors: unknown[] = []) => ({
	stats: { expected: 2, flaky: 0, unexpected: 0, skipped: 0, ...stats },
	errors
});

test('a good run counts what passed and what was left out', () => {
	expect(countVitest(vitest({ numPendingTests: 1, numTodoTests: 1 }), 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
	expect(countPlaywright(playwright({ flaky: 1, skipped: 4 }), 0)).toEqual({ passed: 3, failed: 0, skipped: 4 });
});

test('failed tests, files that do not load and errors outside a test are failures', () => {
	const testResults = [file('failed', 'failed', 'passed'), file('failed'), file('passed', 'passed')];
	expect(countVitest(vitest({ numFailedTests: 1, testResults }), 1)).toEqual({ passed: 3, failed: 2, skipped: 0 });
	expect(countPlaywright(playwright({ unexpected: 1 }, [{}]), 1)).toEqual({ passed: 2, failed: 2, skipped: 0 });
});

test('a runner that ends badly is one failure, whatever its report says', () => {
	expect(countVitest(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
	expect(countPlaywright(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
	expect(countVitest(vitest({}), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
	expect(countPlaywright(playwright({}), 1)).toEqual({ passed: 2, failed: 1, skipped: 0 });
});

test('the last line', () => {
	const total = sumCounts([
		{ passed: 3, failed: 0, skipped: 0 },
		{ passed: 2, failed: 1, skipped: 1 }
	]);
	expect(countsLine(total)).toBe('5 passed, 1 failed, 1 skipped');
	expect(countsLine({ ...total, skipped: 0 })).toBe('5 passed, 1 failed');
});
