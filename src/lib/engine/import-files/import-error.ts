// Why a file cannot be imported at all. What is wrong inside a readable file is a finding of its outcome instead.
import type { JsonValue } from '#lib/core/std/json.ts';

/**
 * `import-empty`: no bytes, or nothing to import in them. `import-not-a-known-format`: no tool could be told from it.
 * `import-format-not-supported-yet`: data.format names the tool. `import-zip-damaged`, `import-encrypted`.
 * `import-too-large`: data.limit names the limit that was passed. `import-unreadable`: the browser could not read it.
 */
export type ImportErrorCode =
	| 'import-empty'
	| 'import-not-a-known-format'
	| 'import-format-not-supported-yet'
	| 'import-zip-damaged'
	| 'import-encrypted'
	| 'import-too-large'
	| 'import-unreadable';

export class ImportError extends Error {
	override readonly name = 'ImportError';
	readonly code: ImportErrorCode;
	readonly data: { readonly [key: string]: JsonValue };
	/** The one word of `data` that a message names: the tool, the limit, or what the reader said. */
	readonly detail: string | undefined;

	constructor(code: ImportErrorCode, data: { readonly [key: string]: JsonValue } = {}) {
		super(code);
		this.code = code;
		this.data = data;
		const detail = data['format'] ?? data['limit'] ?? data['reason'];
		this.detail = typeof detail === 'string' && detail !== '' ? detail : undefined;
	}
}
