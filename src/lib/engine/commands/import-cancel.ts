import { ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleImportCancel: Handler<'import.cancel'> = (deps, { importId }) => ({
	kind: 'answer',
	answer() {
		deps.imports.cancel(importId);
		return Promise.resolve(ok({}));
	}
});
