// Small things that a tab keeps by itself: drafts and how it looks. Never transcripts, connections or secrets (D-093).
// Private windows may refuse it or lose it; then nothing is kept, and nothing breaks (D-092).

const prefix = 'bough.';

/** Null when there is nothing, or nothing can be read. */
export function readLocal(key: string): string | null {
	try {
		return localStorage.getItem(prefix + key);
	} catch {
		return null;
	}
}

/** Null removes. False when the browser keeps nothing: the person is told where their words would be lost. */
export function writeLocal(key: string, value: string | null): boolean {
	try {
		if (value === null) localStorage.removeItem(prefix + key);
		else localStorage.setItem(prefix + key, value);
		return true;
	} catch {
		return false;
	}
}
