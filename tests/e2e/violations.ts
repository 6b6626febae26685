// What axe finds wrong with a page as it stands, by the rules of WCAG 2.2 AA.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** One sentence for each broken rule; empty when there is none. Animations are waited for: half-faded text has too little contrast. */
export async function violations(page: Page): Promise<string[]> {
	await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))));
	const { violations: found } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']).analyze();
	return found.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
