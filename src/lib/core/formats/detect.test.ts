import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { detectItem, detectLine, formats } from './detect.ts';
import { parseJson } from './foreign-json.ts';

describe('detecting a format', () => {
	it('FMT-01: the shape of an item or a line tells the tool', () => {
		expect(detectItem({ title: 'x', mapping: {} })?.id).toBe('chatgpt');
		expect(detectItem({ name: '', chat_messages: [] })?.id).toBe('claude-ai');
		expect(detectItem({ chat: { history: { messages: {} } } })?.id).toBe('open-webui');
		expect(detectLine({ type: 'session', id: 'a', version: 3, cwd: '/' })?.id).toBe('pi');
		expect(detectLine({ type: 'session', id: 'a', version: 3, harness: 'other' })?.id).toBe('llama-cpp');
		expect(detectLine({ type: 'user', uuid: 'a', parentUuid: null })?.id).toBe('claude-code');
		expect(detectLine({ type: 'message', id: '1', parentId: null, timestamp: 't', message: { role: 'user' } })?.id).toBe('pi');
		expect([detectItem({ title: 'x' }), detectItem(null), detectItem([]), detectItem('x'), detectLine({ type: 'message' })]).toEqual(
			Array.from({ length: 5 }, () => null)
		);
	});

	it('FMT-02: every format has a name of its own, and a reader or a refusal', () => {
		const ids = formats.map((format) => format.id);
		expect(new Set(ids).size).toBe(ids.length);
		expect(formats.filter((format) => format.itemToThread ?? format.createLineReader).map((format) => format.id)).toEqual([
			'chatgpt',
			'pi'
		]);
	});
});

describe('foreign JSON', () => {
	it('FMT-03: dangerous keys are dropped at every level, however they are written', () => {
		const parsed = parseJson('{"a":[{"__proto__":{"x":1},"constructor":1,"b":2}],"\\u005f_proto__":3,"prototype":4}');
		expect(parsed).toEqual({ ok: true, value: { a: [{ b: 2 }] } });
		expect(Object.keys(parsed.ok ? (parsed.value ?? {}) : {})).toEqual(['a']);
	});

	it('FMT-04: a hundred levels are read, one more is refused, a bomb too', () => {
		const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
		expect(parseJson(nested(100)).ok).toBe(true);
		expect(parseJson(nested(101))).toEqual({ ok: false, error: { code: 'json-too-deep' } });
		expect(parseJson(nested(200_000))).toEqual({ ok: false, error: { code: 'json-too-deep' } });
		expect(parseJson('{"a":')).toEqual({ ok: false, error: { code: 'json-invalid' } });
	});
});

describe('SPEC.md', () => {
	const folders = [import.meta.dirname, `${import.meta.dirname}/../../engine/import-files`];
	const tests = folders.flatMap((folder) =>
		readdirSync(folder)
			.filter((name) => name.endsWith('.test.ts'))
			.map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
	);

	it('FMT-01: every rule has a test and every test names a rule', () => {
		const rules = [...readFileSync(`${folders[0]}/SPEC.md`, 'utf8').matchAll(/^- (FMT-\d+):/gm)].map((match) => match[1]);
		const cited = tests.flatMap((text) => [...text.matchAll(/(?:\bit\(|\]\)\()\s*['"`]([^:'"`]*)/g)].map((match) => match[1]));
		expect([...new Set(cited)].toSorted()).toEqual(rules.toSorted());
	});
});
