// Holds the commands' shapes to the protocol's version. After a change: raise PROTOCOL_VERSION in
// src/lib/core/protocol/messages.ts, then run `UPDATE_PROTOCOL_LOCK=1 npx vitest run --project unit tests/unit/protocol-lock.test.ts`.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { commands, type CommandType } from '#lib/core/protocol/commands.ts';
import { PROTOCOL_VERSION } from '#lib/core/protocol/messages.ts';

interface Lock {
	readonly version: number;
	/** By command type: SHA-256 of payload, answer, refusals, durability and secret fields. */
	readonly commands: Readonly<Record<string, string>>;
}

const lockPath = new URL('./protocol.lock.json', import.meta.url);
const howToUpdate =
	'The protocol changed. Raise PROTOCOL_VERSION in src/lib/core/protocol/messages.ts, then run: ' +
	'UPDATE_PROTOCOL_LOCK=1 npx vitest run --project unit tests/unit/protocol-lock.test.ts';

const types = Object.keys(commands).sort() as CommandType[];

function hashOf(type: CommandType): string {
	const { payload, accepted, refusals, durable, secretFields } = commands[type];
	const schemaOf = (schema: z.ZodMiniType) => z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
	const shape = { payload: schemaOf(payload), accepted: schemaOf(accepted), refusals: [...refusals].sort(), durable, secretFields };
	return createHash('sha256')
		.update(canonicalize(JSON.parse(JSON.stringify(shape))) ?? '')
		.digest('hex');
}

/** What keeps `current` from being told under the lock's version; null when nothing does. */
function lockProblem(lock: Lock, current: Lock): string | null {
	if (lock.version === current.version) {
		const changed = [...new Set([...Object.keys(lock.commands), ...Object.keys(current.commands)])].filter(
			(type) => lock.commands[type] !== current.commands[type]
		);
		return changed.length === 0 ? null : `${howToUpdate} (changed: ${changed.sort().join(', ')})`;
	}
	return `${howToUpdate} (version ${lock.version} is locked, the code says ${current.version})`;
}

const current: Lock = { version: PROTOCOL_VERSION, commands: Object.fromEntries(types.map((type) => [type, hashOf(type)])) };
const stored = existsSync(lockPath) ? (JSON.parse(readFileSync(lockPath, 'utf8')) as Lock) : null;

describe('the protocol', () => {
	it('PRO-01: the shapes are those of the locked version', () => {
		const isUpdate = process.env['UPDATE_PROTOCOL_LOCK'] === '1';
		const mayRewrite = stored === null || current.version > stored.version || lockProblem(stored, current) === null;
		if (isUpdate && mayRewrite) writeFileSync(lockPath, `${JSON.stringify(current, null, '\t')}\n`);
		const lock = isUpdate && mayRewrite ? current : stored;
		expect(lock, howToUpdate).not.toBeNull();
		expect(lock && lockProblem(lock, current)).toBeNull();
	});

	it('PRO-01: a changed, an added and a removed command are noticed, and what to do is said', () => {
		const { ping, ...others } = current.commands;
		const changes: Readonly<Record<string, string>>[] = [{ ...others, ping: `${ping}x` }, { ...current.commands, pong: 'x' }, others];
		for (const changed of changes) {
			const problem = lockProblem(current, { ...current, commands: changed });
			expect(problem).toContain('UPDATE_PROTOCOL_LOCK=1');
			expect(problem).toMatch(/changed: p[io]ng/);
		}
		expect(lockProblem(current, { ...current, version: current.version + 1 })).toContain('UPDATE_PROTOCOL_LOCK=1');
		expect(new Set(Object.values(current.commands)).size).toBeGreaterThan(types.length / 2);
	});

	it.each(types)('PRO-02: %s and its refusals are named by the rules', (type) => {
		const definition = commands[type];
		expect(definition.type).toBe(type);
		expect(type).toMatch(/^[a-z]+(\.[a-z][A-Za-z]*)?$/);
		for (const refusal of definition.refusals) {
			expect(refusal).toMatch(/^[a-z]+(-[a-z]+)+$/);
			expect(refusal.startsWith('engine-')).toBe(false);
		}
		expect(new Set(definition.refusals).size).toBe(definition.refusals.length);
	});

	it.each(types)('PRO-03: %s takes no payload but its own', (type) => {
		const { payload } = commands[type];
		const isEmptyOne = payload.safeParse({}).success;
		expect([null, undefined, 'text', 7, [], () => {}].filter((value) => payload.safeParse(value).success)).toEqual([]);
		expect(isEmptyOne).toBe(['ping', 'connection.findLocal'].includes(type));
	});

	it('PRO-04: every field called key is a secret field, at the top', () => {
		for (const type of types) {
			const shape = JSON.stringify(z.toJSONSchema(commands[type].payload, { unrepresentable: 'any', io: 'input' }));
			expect(commands[type].secretFields, type).toEqual(/"(key|secret|password|token)":/.test(shape) ? ['key'] : []);
		}
	});
});
