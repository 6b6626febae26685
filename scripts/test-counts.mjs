// What a test runner's report says, as numbers. `failed` counts everything that a person must look at: failed tests, files that
// did not load, and a runner that ended badly without naming a test.

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** A runner that left no readable report: its crash is one failure. */
const crashed = { passed: 0, failed: 1, skipped: 0 };

const noBadEndUnseen = (counts, exitCode) => (exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts);

/** Of Vitest's JSON report; null stands for a missing one. @returns {Counts} */
export function countVitest(report, exitCode) {
	if (report === null) return crashed;
	const brokenFiles = report.testResults.filter(
		({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed')
	).length;
	return noBadEndUnseen(
		{
			passed: report.numPassedTests,
			failed: report.numFailedTests + brokenFiles,
			skipped: report.numPendingTests + (report.numTodoTests ?? 0)
		},
		exitCode
	);
}

/** Of Playwright's JSON report; null stands for a missing one. A test that passed at its second try has passed. @returns {Counts} */
export function countPlaywright(report, exitCode) {
	if (report === null) return crashed;
	const { expected, flaky, unexpected, skipped } = report.stats;
	return noBadEndUnseen({ passed: expected + flaky, failed: unexpected + report.errors.length, skipped }, exitCode);
}

/** @param {readonly Counts[]} all @returns {Counts} */
export function sumCounts(all) {
	const sum = (key) => all.reduce((total, counts) => total + counts[key], 0);
	return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The line that ends a test run. */
export const countsLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
