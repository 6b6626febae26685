import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import { setupDatabase } from '#lib/storage/test-database.ts';
import type { BoughDatabase } from '#lib/storage/database.ts';
import { createSecretStore } from './secret-store.ts';

const origin = 'https://one.example';

async function keep(database: BoughDatabase, id: string, secret: string) {
	await database._secrets.put(await createSecretStore(database).seal(id, secret));
	await database.secretsMeta.put({ id, ownerKind: 'connection', ownerId: id, origin, updatedAt: 1 });
}

describe('the secret store', () => {
	it('SEC-01: the same secret is another ciphertext each time', async () => {
		const database = await setupDatabase();
		const store = createSecretStore(database);
		const [one, two] = [await store.seal('a', 'secret'), await store.seal('a', 'secret')];
		expect(new Uint8Array(one.ciphertext)).not.toEqual(new Uint8Array(two.ciphertext));
		expect(one.iv).not.toEqual(two.iv);
	});

	it('SEC-02: the wrapping key cannot be exported, and of two that are made at once the first stays', async () => {
		const factory = new IDBFactory();
		const databases = [await setupDatabase(factory, 'keys'), await setupDatabase(factory, 'keys')];
		const sealed = await Promise.all(databases.map((database, at) => createSecretStore(database).seal(`s${at}`, `secret ${at}`)));
		const [database] = databases;
		if (!database) throw new Error('there are two');
		for (const secret of sealed) {
			await database._secrets.put(secret);
			await database.secretsMeta.put({ id: secret.id, ownerKind: 'connection', ownerId: 'c', origin, updatedAt: 1 });
		}
		const reader = createSecretStore(database);
		expect([await reader.reveal('s0', origin), await reader.reveal('s1', origin)]).toEqual(['secret 0', 'secret 1']);
		const row = await database._secrets.get('wrapping-key');
		if (!row || !('key' in row)) throw new Error('the wrapping key is kept');
		expect(row.key.extractable).toBe(false);
		await expect(crypto.subtle.exportKey('raw', row.key)).rejects.toThrow();
	});

	it('SEC-02: a wrapping key that could not be stored once is made again', async () => {
		const database = await setupDatabase();
		const store = createSecretStore(database);
		vi.spyOn(database._secrets, 'put').mockRejectedValueOnce(new Error('planted'));
		await expect(store.seal('a', 'secret')).rejects.toThrow('planted');
		expect((await store.seal('a', 'secret')).id).toBe('a');
	});

	it('SEC-03: a secret goes to its own origin only, and under its own id', async () => {
		const database = await setupDatabase();
		await keep(database, 'a', 'secret');
		await keep(database, 'b', 'other');
		const store = createSecretStore(database);
		expect(await store.reveal('a', origin)).toBe('secret');
		for (const wrong of ['http://one.example', 'https://one.example:8443', 'https://one.example.evil', '', `${origin}/`])
			expect(await store.reveal('a', wrong)).toBeNull();
		const row = await database._secrets.get('b');
		if (!row || !('ciphertext' in row)) throw new Error('b is kept');
		await database._secrets.put({ ...row, id: 'a' });
		expect(await store.reveal('a', origin)).toBeNull();
	});

	it('SEC-04: a damaged row, a lost wrapping key and a lost origin all read as no secret', async () => {
		const database = await setupDatabase();
		await keep(database, 'a', 'secret');
		const row = await database._secrets.get('a');
		if (!row || !('ciphertext' in row)) throw new Error('a is kept');
		const damaged = new Uint8Array(row.ciphertext.slice(0));
		damaged[0] = (damaged[0] ?? 0) ^ 1;
		await database._secrets.put({ ...row, ciphertext: damaged.buffer });
		expect(await createSecretStore(database).reveal('a', origin)).toBeNull();
		await database._secrets.put(row);
		expect(await createSecretStore(database).reveal('a', origin)).toBe('secret');
		await database._secrets.delete('wrapping-key');
		expect(await createSecretStore(database).reveal('a', origin)).toBeNull();
		await database.secretsMeta.delete('a');
		expect(await createSecretStore(database).reveal('a', origin)).toBeNull();
	});
});
