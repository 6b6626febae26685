// Gathers what an import left out or mended, one entry a code. Runs anywhere.
import type { JsonValue } from '../std/json.ts';
import type { ImportFinding, ImportFindingCode } from './imported.ts';

export interface Findings {
	/** Counts one more of `code`; `where` and `data` are kept of the first one. */
	add(code: ImportFindingCode, where?: string, data?: JsonValue): void;
	list(): readonly ImportFinding[];
}

export function createFindings(): Findings {
	const byCode = new Map<ImportFindingCode, ImportFinding>();
	return {
		add(code, where, data) {
			const first = byCode.get(code);
			if (first !== undefined) {
				byCode.set(code, { ...first, count: first.count + 1 });
				return;
			}
			byCode.set(code, { code, count: 1, ...(where !== undefined && { where }), ...(data !== undefined && { data }) });
		},
		list: () => [...byCode.values()]
	};
}
