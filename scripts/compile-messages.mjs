// `npm run messages`: makes the typed message functions from the catalogues, for the type check, the linter and the unit tests;
// the build does the same by itself. vite.config.ts reads the options here.
import { pathToFileURL } from 'node:url';
import { compile } from '@inlang/paraglide-js';

/** @type {import('@inlang/paraglide-js').CompilerOptions} */
export const messageOptions = {
	project: './src/lib/i18n/project.inlang',
	outdir: './src/lib/i18n/generated',
	strategy: ['globalVariable', 'baseLocale'],
	emitTsDeclarations: true
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await compile(messageOptions);
