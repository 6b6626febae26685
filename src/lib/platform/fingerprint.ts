// The fingerprint of a command's payload (P-069): SHA-256 over its canonical JSON (RFC 8785). Runs in the worker.
import canonicalize from 'canonicalize';

/**
 * Hex SHA-256 of `payload` without `secretFields`. Files are told apart by name, size and date, not by content.
 * Equal payloads give equal fingerprints whatever the order of their keys. Half a surrogate pair counts as U+FFFD: RFC 8785
 * has no encoding for it, and a person can type one.
 */
export async function fingerprintOf(payload: unknown, secretFields: readonly string[]): Promise<string> {
	const plain = JSON.parse(
		JSON.stringify(payload, (key, value: unknown) => {
			if (secretFields.includes(key)) return undefined;
			if (typeof value === 'string') return value.toWellFormed();
			if (value instanceof File) return { name: value.name, size: value.size, lastModified: value.lastModified };
			return value;
		})
	) as unknown;
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(canonicalize(plain) ?? ''));
	return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
