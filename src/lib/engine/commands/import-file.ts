import type { Handler } from '../engine-deps.ts';

export const handleImportFile: Handler<'import.file'> = (deps, { importId, file }) => ({
	kind: 'long',
	run: () => deps.imports.run(importId, file)
});
