import { expect, test } from 'vitest';
import { closureOf, loadedByPage, staticImports } from '../../scripts/size.mjs';

test('static imports of minified code are found, dynamic ones are not', () => {
	const code =
		'import{a as b,c}from"./one.js";import"./two.js";import d,*as e from"../three.js";export{f}from"./four.js";export*from"./five.js";const g=()=>import("./six.js"),h=()=>import(`./seven.js`);';
	expect(staticImports(code)).toEqual(['./one.js', './two.js', '../three.js', './four.js', './five.js']);
});

test('the closure follows imports once, in circles too', () => {
	const files: Record<string, string> = {
		'entry/a.js': 'import"../chunks/b.js";',
		'chunks/b.js': 'import"./c.js";import("./lazy.js")',
		'chunks/c.js': 'import"./b.js";'
	};
	const read = (path: string) => files[path] ?? '';
	expect(closureOf(['entry/a.js'], read)).toEqual(['entry/a.js', 'chunks/b.js', 'chunks/c.js']);
});

test('a page names its preloads, the imports of its inline script and its styles', () => {
	const html = `<link href="/x/a.js" rel="modulepreload"><link href="/x/s.css" rel="stylesheet"><link rel="icon" href="/i.svg" />
		<script>import("/x/a.js").then(() => import("/x/b.js"))</script><script src="/x/c.js"></script>`;
	expect(loadedByPage(html)).toEqual({ scripts: ['x/a.js', 'x/b.js', 'x/c.js'], styles: ['x/s.css'] });
});
