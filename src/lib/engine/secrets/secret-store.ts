// Keys of connections: encrypted at rest under a key that cannot be exported, read in this worker only, and handed out for
// one origin only. Says honestly what it is: it keeps honest scripts honest; whoever reads this device's files, or runs code
// inside the app, is not stopped by it. ENGINE WORKER. SPEC.md SEC-01 to SEC-05.
import type { BoughDatabase } from '#lib/storage/database.ts';
import type { SecretRow } from '#lib/storage/rows.ts';

export interface SealedSecret {
	readonly id: string;
	readonly iv: Uint8Array<ArrayBuffer>;
	readonly ciphertext: ArrayBuffer;
}

export interface SecretStore {
	/** Encrypts; the row is put by the transaction that needs it. */
	seal(id: string, secret: string): Promise<SealedSecret>;
	/** The secret, if there is one and it may go to `origin`; null otherwise, also when it cannot be decrypted any more. */
	reveal(id: string, origin: string): Promise<string | null>;
}

/** The id of a connection's key. */
export function connectionSecretId(connectionId: string): string {
	return `connection:${connectionId}`;
}

export function createSecretStore(database: BoughDatabase): SecretStore {
	let wrappingKey: Promise<CryptoKey> | null = null;
	const getWrappingKey = () => {
		wrappingKey ??= loadWrappingKey(database).catch((error: unknown) => {
			// The next one to ask tries again: a full disk is no reason to lose every key until the reload.
			wrappingKey = null;
			throw error;
		});
		return wrappingKey;
	};
	return {
		async seal(id, secret) {
			const iv = crypto.getRandomValues(new Uint8Array(12));
			const plain = new TextEncoder().encode(secret);
			const ciphertext = await crypto.subtle.encrypt(
				{ name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(id) },
				await getWrappingKey(),
				plain
			);
			return { id, iv, ciphertext };
		},
		async reveal(id, origin) {
			const meta = await database.secretsMeta.get(id);
			const row = await database._secrets.get(id);
			if (!meta || meta.origin !== origin || !row || !isSealed(row)) return null;
			try {
				const plain = await crypto.subtle.decrypt(
					{ name: 'AES-GCM', iv: row.iv, additionalData: new TextEncoder().encode(id) },
					await getWrappingKey(),
					row.ciphertext
				);
				return new TextDecoder().decode(plain);
			} catch {
				// The wrapping key was lost or the row damaged: the person is asked for the key again.
				return null;
			}
		}
	};
}

function isSealed(row: SecretRow): row is SealedSecret {
	return 'ciphertext' in row;
}

async function loadWrappingKey(database: BoughDatabase): Promise<CryptoKey> {
	const stored = await database._secrets.get('wrapping-key');
	if (stored && 'key' in stored) return stored.key;
	const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
	// Whoever was first wins: a key that took another one's place would make every secret under that one unreadable.
	return database.transaction('rw', database._secrets, async () => {
		const first = await database._secrets.get('wrapping-key');
		if (first && 'key' in first) return first.key;
		await database._secrets.put({ id: 'wrapping-key', key: made });
		return made;
	});
}
