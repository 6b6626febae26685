import { describe, expect, it } from 'vitest';
import { rowsOf } from '#lib/core/domain/outline-rows.ts';
import { outlineOf, type OutlineNode } from '#lib/core/domain/outline.ts';
import { outlineKey, typeAhead } from './outline-keys.ts';
import { railsOf } from './rails.ts';

const node = (id: string, parentId: string | null, seq: number): OutlineNode => ({
	id,
	parentId,
	seq,
	type: 'user_message',
	ts: seq,
	line: `${id} says`,
	name: ''
});
/** a b .f ..g .h c d e i, where f forks into g and h. */
const nodes = [
	node('a', null, 1),
	node('b', 'a', 2),
	node('c', 'b', 3),
	node('d', 'c', 4),
	node('f', 'b', 5),
	node('g', 'f', 6),
	node('h', 'f', 7),
	node('e', 'd', 8),
	node('i', 'e', 9)
];
const rows = rowsOf(outlineOf(nodes, 'g'));
const key = (name: string, fields: Partial<KeyboardEvent> = {}) => ({
	key: name,
	shiftKey: false,
	ctrlKey: false,
	metaKey: false,
	altKey: false,
	...fields
});
const at = (id: string) => rows.findIndex((row) => row.entry.node.id === id);

describe('keys', () => {
	it('OUTL-01: arrows, ends, pages and folds', () => {
		const meaning = (name: string, id: string, folded: string[] = []) =>
			outlineKey(key(name), { rows, index: at(id), isFolded: (row) => folded.includes(row.entry.node.id) });
		const go = (id: string) => ({ kind: 'go', id });
		expect(rows.map((row) => row.entry.node.id).join('')).toBe('abfghcdei');
		expect([meaning('ArrowDown', 'a'), meaning('ArrowUp', 'a'), meaning('ArrowUp', 'g')]).toEqual([go('b'), go('a'), go('f')]);
		expect([meaning('Home', 'g'), meaning('End', 'g'), meaning('PageDown', 'b'), meaning('PageUp', 'd')]).toEqual([
			go('a'),
			go('i'),
			go('i'),
			go('a')
		]);
		expect([meaning('ArrowRight', 'f'), meaning('ArrowRight', 'f', ['f']), meaning('ArrowRight', 'c')]).toEqual([
			go('g'),
			{ kind: 'fold', isFolded: false },
			null
		]);
		expect([
			meaning('ArrowLeft', 'f'),
			meaning('ArrowLeft', 'f', ['f']),
			meaning('ArrowLeft', 'h'),
			meaning('ArrowLeft', 'a', ['a'])
		]).toEqual([{ kind: 'fold', isFolded: true }, go('a'), go('f'), null]);
		expect(meaning('*', 'a')).toEqual({ kind: 'unfold-beside' });
	});

	it('OUTL-04: a key for each thing to do, and one alone with Alt', () => {
		const act = (name: string, fields: Partial<KeyboardEvent> = {}) =>
			outlineKey(key(name, fields), { rows, index: 0, isFolded: () => false });
		expect(
			[
				act('Enter'),
				act('Enter', { shiftKey: true }),
				act('Enter', { ctrlKey: true }),
				act('Enter', { altKey: true }),
				act('c', { ctrlKey: true }),
				act('F2'),
				act(' '),
				act('Delete'),
				act('Delete', { shiftKey: true })
			].map((meaning) => (meaning?.kind === 'act' ? meaning.act : meaning))
		).toEqual(['show', 'go-on', 'edit', 'point', 'copy', 'label', 'compare', 'delete', 'delete-branch']);
		expect([act('F10', { shiftKey: true }), act('ContextMenu')]).toEqual([{ kind: 'menu' }, { kind: 'menu' }]);
		expect([act('F10'), act('Delete', { altKey: true }), act('Delete', { ctrlKey: true }), act('x')]).toEqual([null, null, null, null]);
	});

	it('OUTL-01: typed letters go to the next row that begins with them', () => {
		const typed = typeAhead();
		const type = (letter: string, timeStamp: number, activeIndex: number) => typed({ ...key(letter), timeStamp }, { rows, activeIndex });
		expect(type('c', 1_000, 0)).toEqual({ kind: 'go', id: 'c' });
		expect(type(' ', 1_100, at('c'))).toEqual({ kind: 'go', id: 'c' });
		expect(type('a', 3_000, at('c'))).toEqual({ kind: 'go', id: 'a' });
		expect(type('z', 6_000, 0)).toBeNull();
		expect(typed({ ...key('c', { ctrlKey: true }), timeStamp: 9_000 }, { rows, activeIndex: 0 })).toBeNull();
	});
});

describe('lines', () => {
	it('OUTL-03: the branch in view comes down, turns off to the side and ends', () => {
		const rails = railsOf(rows);
		const picture = rows.map((row, index) => {
			const rail = rails[index];
			const lines = [...(rail?.passing ?? []), rail?.isNextOnPath ?? null]
				.map((isPath) => (isPath === null ? '.' : isPath ? '#' : '|'))
				.join('');
			return `${row.entry.node.id}:${rail?.from}:${lines}`;
		});
		expect(picture).toEqual([
			'a:none:#',
			'b:above:#',
			'f:side:|#',
			'g:side:||.',
			'h:above:|.',
			'c:above:|',
			'd:above:|',
			'e:above:|',
			'i:above:.'
		]);
	});
});
