// `npm run icons`: draws the app's icons from static/favicon.svg with an installed Chromium. Run by hand when the mark changes;
// the pictures are kept in static/icons.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { chromiumArguments, chromiumPath } from './browsers.mjs';

const mark = readFileSync('static/favicon.svg', 'utf8');
/** The mark with no corners and room around it: a launcher cuts maskable icons to its own shape. */
const maskable = mark
	.replace('rx="14"', 'rx="0"')
	.replace('viewBox="0 0 64 64"', 'viewBox="-10 -10 84 84"')
	.replace('width="64" height="64" rx', 'x="-10" y="-10" width="84" height="84" rx');
const monochrome = mark.replace(/<rect[^>]*\/>/, '').replaceAll('#f3f1eb', '#ffffff');

const icons = [
	{ name: 'icon-192.png', svg: mark, size: 192 },
	{ name: 'icon-512.png', svg: mark, size: 512 },
	{ name: 'maskable-512.png', svg: maskable, size: 512 },
	{ name: 'monochrome-512.png', svg: monochrome, size: 512 },
	{ name: 'apple-touch-180.png', svg: maskable, size: 180 }
];

mkdirSync('static/icons', { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
for (const { name, svg, size } of icons) {
	const page = await browser.newPage({ viewport: { width: size, height: size } });
	await page.setContent(
		`<style>html,body{margin:0;background:transparent}svg{display:block;width:${size}px;height:${size}px}</style>${svg}`
	);
	writeFileSync(`static/icons/${name}`, await page.screenshot({ omitBackground: true }));
	await page.close();
}
await browser.close();
