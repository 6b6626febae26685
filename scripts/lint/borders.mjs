// The linter's side of layers.js, two rules. `import-style`: an import that leaves the folder in src/lib is written #lib/… with
// its extension, one that stays is relative. `layers`: the import table itself, in the editor and for the type-only imports of a
// component, which dependency-cruiser cannot see.
import { posix, relative, sep } from 'node:path';
import { layerOf, layers, mayImport, mayImportPackage, testFiles } from '../../layers.js';

const isTest = new RegExp(testFiles);
const lib = 'src/lib/';

/** Path from the project's folder on, with forward slashes. */
const pathOfFile = (context) => relative(context.cwd, context.filename).split(sep).join('/');

/** Folder of src/lib (`core`, `ui` …) or of src that a file lies in. */
const folderOf = (path) => (path.startsWith(lib) ? path.slice(lib.length) : path.replace(/^src\//, '')).split('/')[0];

/** The file that an import names, from the project's folder on; null for a package or one of SvelteKit's own. */
function targetOf(path, specifier) {
	if (specifier.startsWith('#lib/')) return lib + specifier.slice('#lib/'.length);
	if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier);
	return null;
}

/** Visits every `import … from`, `export … from` and `import('…')`. */
const eachImport = (visit) => ({
	ImportDeclaration: (node) => visit(node.source),
	ExportAllDeclaration: (node) => visit(node.source),
	ExportNamedDeclaration: (node) => node.source && visit(node.source),
	ImportExpression: (node) => node.source.type === 'Literal' && visit(node.source),
	TSImportType: (node) => node.source?.type === 'Literal' && visit(node.source)
});

const importStyle = {
	meta: { type: 'suggestion', fixable: 'code', schema: [] },
	create(context) {
		const path = pathOfFile(context);
		if (!path.startsWith('src/')) return {};
		return eachImport((source) => {
			const specifier = source.value;
			const report = (message, fixed) =>
				context.report({ node: source, message, fix: fixed && ((fixer) => fixer.replaceText(source, `'${fixed}'`)) });
			if (/^\$lib(\/|$)/.test(specifier)) return report('Write #lib/… with the extension instead of $lib.');
			const target = targetOf(path, specifier);
			if (target === null) return;
			if (!/\.(ts|js|svelte|css|json)$/.test(target)) return report('Write the extension of the imported file.');
			const stays = folderOf(target) === folderOf(path);
			if (specifier.startsWith('#lib/') && stays) {
				const near = posix.relative(posix.dirname(path), target);
				return report('Inside a layer imports are relative.', near.startsWith('.') ? near : `./${near}`);
			}
			if (specifier.startsWith('.') && !stays && target.startsWith(lib))
				report('An import that leaves the layer is written #lib/….', `#lib/${target.slice(lib.length)}`);
		});
	}
};

const layersRule = {
	meta: { type: 'problem', schema: [] },
	create(context) {
		const path = pathOfFile(context);
		const layer = layerOf(path);
		if (layer === undefined || isTest.test(path)) return {};
		return eachImport((source) => {
			const target = targetOf(path, source.value);
			if (target === null ? mayImportPackage(path, source.value) : mayImport(path, target)) return;
			const allowed = ['core/std', ...layers[layer]].join(', ');
			context.report({
				node: source,
				message: target === null ? `${layer} may not use this package (layers.js).` : `${layer} may import only ${allowed} (layers.js).`
			});
		});
	}
};

export default { rules: { 'import-style': importStyle, layers: layersRule } };
