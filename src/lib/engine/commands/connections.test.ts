import { describe, expect, it } from 'vitest';
import type { PayloadOf } from '#lib/core/protocol/commands.ts';
import { connectionSecretId } from '../secrets/secret-store.ts';
import { ask, dump, newTurnIds, said, setupEngine, setupThread, started, turnSettings, type SetupOptions } from '../test-engine.ts';

const canary = 'sk-canary-7Zq1';

function form(fields: Partial<PayloadOf<'connection.save'>['connection']> = {}): PayloadOf<'connection.save'>['connection'] {
	return {
		id: 'c1',
		name: 'Mine',
		kind: 'openai-compatible',
		baseUrl: 'https://one.example/v1/',
		defaultModel: 'm',
		modelIds: ['m'],
		enabled: true,
		firstByteTimeoutMs: 60_000,
		silenceTimeoutMs: 60_000,
		...fields
	};
}

async function setup(options?: SetupOptions) {
	const engine = await setupEngine(options);
	const reveal = (origin: string) => engine.deps.secrets.reveal(connectionSecretId('c1'), origin);
	const stored = async () => engine.database.providers.get('c1');
	return { engine, reveal, stored };
}

/** Bytes and texts of everything that is stored, whatever its type. */
function flat(value: unknown): string {
	if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
	if (ArrayBuffer.isView(value)) return new TextDecoder('latin1').decode(value.buffer);
	if (typeof value === 'object' && value !== null) return Object.values(value).map(flat).join('\n');
	return String(value);
}

describe('connection.save', () => {
	it('ENG-22: stores what was entered, without a trailing slash, and when it was made', async () => {
		const { engine, stored } = await setup();
		expect(await engine.send('connection.save', { connection: form() })).toEqual({ ok: true, value: { keyForgotten: false } });
		const first = await stored();
		expect(first).toEqual({
			...form({ baseUrl: 'https://one.example/v1' }),
			hasKey: false,
			createdAt: engine.clock.nowMs(),
			updatedAt: engine.clock.nowMs(),
			stamp: expect.any(String)
		});
		engine.clock.step(10);
		await engine.send('connection.save', { connection: form({ name: 'Yours' }) });
		expect(await stored()).toEqual({ ...first, name: 'Yours', updatedAt: engine.clock.nowMs(), stamp: expect.any(String) });
		// The later change is the one that sync will keep.
		expect(String((await stored())?.stamp) > String(first?.stamp)).toBe(true);
	});

	it('ENG-22: the Guide cannot be overwritten, and an address that is none is refused', async () => {
		const { engine } = await setup();
		const builtIn = { ok: false, error: { code: 'connection-built-in' } };
		expect(await engine.send('connection.save', { connection: form({ id: 'guide' }), key: canary })).toEqual(builtIn);
		expect(await engine.database._secrets.get(connectionSecretId('guide'))).toBeUndefined();
		for (const baseUrl of ['javascript:alert(1)', 'file:///etc', 'no address', 'https://me:secret@one.example/v1'])
			expect(await engine.send('connection.save', { connection: form({ baseUrl }) })).toMatchObject({
				error: { code: 'engine-bad-payload' }
			});
	});

	it('ENG-29: new questions follow the model of their connection, unless another one was chosen', async () => {
		const { engine } = await setup();
		const choice = async () => (await engine.database.kv.get(['app', 'defaultModel']))?.value;
		await engine.send('connection.save', { connection: form() });
		await engine.send('settings.update', { defaultConnectionId: 'c1', defaultModel: 'm' });
		await engine.send('connection.save', { connection: form({ defaultModel: 'n' }) });
		expect(await choice()).toEqual({ connectionId: 'c1', model: 'n' });
		await engine.send('settings.update', { defaultConnectionId: 'c1', defaultModel: 'chosen' });
		await engine.send('connection.save', { connection: form({ defaultModel: 'o' }) });
		expect(await choice()).toEqual({ connectionId: 'c1', model: 'chosen' });
	});

	it('SEC-03: a key is kept, changed and forgotten as the form says', async () => {
		const { engine, reveal, stored } = await setup();
		await engine.send('connection.save', { connection: form(), key: canary });
		expect([await reveal('https://one.example'), (await stored())?.hasKey]).toEqual([canary, true]);
		await engine.send('connection.save', { connection: form({ name: 'Other' }) });
		expect([await reveal('https://one.example'), (await stored())?.hasKey]).toEqual([canary, true]);
		await engine.send('connection.save', { connection: form(), key: 'another' });
		expect([await reveal('https://one.example'), (await stored())?.hasKey]).toEqual(['another', true]);
		await engine.send('connection.save', { connection: form(), key: null });
		expect([await reveal('https://one.example'), (await stored())?.hasKey]).toEqual([null, false]);
		expect(await engine.database._secrets.get(connectionSecretId('c1'))).toBeUndefined();
	});

	it('SEC-05: a base URL that moves to another origin forgets the key, unless it came along', async () => {
		const { engine, reveal, stored } = await setup();
		await engine.send('connection.save', { connection: form(), key: canary });
		const moved = form({ baseUrl: 'https://two.example/v1' });
		expect(await engine.send('connection.save', { connection: moved })).toEqual({ ok: true, value: { keyForgotten: true } });
		expect([await reveal('https://one.example'), await reveal('https://two.example'), (await stored())?.hasKey]).toEqual([
			null,
			null,
			false
		]);
		await engine.send('connection.save', { connection: moved, key: canary });
		expect([await reveal('https://one.example'), await reveal('https://two.example')]).toEqual([null, canary]);
		const otherPath = form({ baseUrl: 'https://two.example/other' });
		expect(await engine.send('connection.save', { connection: otherPath })).toEqual({ ok: true, value: { keyForgotten: false } });
		expect(await reveal('https://two.example')).toBe(canary);
	});

	it('SEC-01: a key stands in no table but as ciphertext, also after it was used', async () => {
		const { engine } = await setup();
		await engine.send('connection.save', { connection: form(), key: canary });
		await engine.send('connection.test', { connection: form(), key: canary });
		const threadId = await setupThread(engine);
		const ids = newTurnIds();
		await engine.send('turn.submit', { threadId, ...turnSettings, connectionId: 'c1', ...ids, text: 'q' });
		const call = await engine.model.nextCall();
		expect(call.key).toBe(canary);
		call.say(started, said('half'));
		call.fail({ code: 'model-key-refused', status: 401 });
		await engine.runEnded(ids.runId);
		const everything = flat({
			tables: await dump(engine),
			receipts: await engine.database.commandReceipts.toArray(),
			events: engine.events
		});
		expect(everything).toContain('one.example');
		expect(everything).not.toContain(canary);
	});
});

describe('connection.remove', () => {
	it('ENG-23: takes the key along; conversations stay; unknown ones and the Guide are refused', async () => {
		const { engine, reveal } = await setup();
		await engine.send('connection.save', { connection: form(), key: canary });
		const threadId = await setupThread(engine);
		await ask(engine, threadId, 'q', 'a');
		expect(await engine.send('connection.remove', { connectionId: 'c1' })).toEqual({ ok: true, value: {} });
		expect([await reveal('https://one.example'), await engine.database.secretsMeta.count()]).toEqual([null, 0]);
		expect((await engine.nodes(threadId)).length).toBe(3);
		expect(await engine.send('connection.remove', { connectionId: 'c1' })).toEqual({ ok: false, error: { code: 'connection-not-found' } });
		expect(await engine.send('connection.remove', { connectionId: 'guide' })).toEqual({
			ok: false,
			error: { code: 'connection-built-in' }
		});
	});
});

describe('connection.test and connection.findLocal', () => {
	it('ENG-24: answers what was found and leaves no trace', async () => {
		const server = { name: 'Ollama', baseUrl: 'http://localhost:11434/v1', models: ['m'], state: 'ready' as const };
		const { engine } = await setup({
			change: (deps) => ({
				...deps,
				findLocalServers: () => Promise.resolve([server]),
				testConnection: () => Promise.resolve({ ok: false, failedStep: 'list-models', failure: { code: 'model-cors' }, models: [] })
			})
		});
		const before = await dump(engine);
		expect(await engine.send('connection.findLocal', {})).toEqual({ ok: true, value: { servers: [server] } });
		expect(await engine.send('connection.test', { connection: form(), key: canary })).toEqual({
			ok: true,
			value: {
				failedStep: 'list-models',
				failure: { code: 'model-cors' },
				models: [],
				listFailure: null,
				answeredModel: null,
				firstWordMs: null
			}
		});
		expect(await dump(engine)).toEqual(before);
		expect(await engine.database.commandReceipts.count()).toBe(0);
	});

	it('SEC-05: a form at another origin is tried without the key on record', async () => {
		const keys: (string | null)[] = [];
		const { engine } = await setup({
			change: (deps) => ({
				...deps,
				createProvider: (connection, getKey) => {
					void getKey().then((key) => keys.push(key));
					return deps.createProvider(connection, getKey);
				}
			})
		});
		await engine.send('connection.save', { connection: form(), key: canary });
		await engine.send('connection.test', { connection: form() });
		await expect.poll(() => keys).toEqual([canary]);
		await engine.send('connection.test', { connection: form({ baseUrl: 'https://two.example/v1' }) });
		await expect.poll(() => keys).toEqual([canary, null]);
	});
});
