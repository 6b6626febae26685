import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deletionsOf } from './deletions.ts';
import { isVisible, type NodeContent, type TreeNode } from './nodes.ts';
import { firstLineOf, maxLineLength, outlineNodeOf } from './outline-node.ts';
import { nearestShown, rowsOf, shownBy, unfoldedRows, type OutlineRow } from './outline-rows.ts';
import { forksOf, otherBranchesCount, outlineOf, type Outline, type OutlineNode } from './outline.ts';
import { nextStamp } from './stamp.ts';
import { damagedOutline, randomTree, treeFrom, type NodeStep } from './test-trees.ts';
import { logicalChildren, logicalParent, logicalSiblings, pathTo, treeOf } from './tree.ts';

/** `a<b<c` hangs c under b under a; `-x` is a tombstone, `~x` transparent, `?x` of an unknown type. Seq is the order of writing. */
function drawn(...chains: readonly string[]): OutlineNode[] {
	const nodes = new Map<string, OutlineNode>();
	for (const chain of chains) {
		let parentId: string | null = null;
		for (const word of chain.split('<')) {
			const id = word.replace(/^[-~?]/, '');
			const type = word.startsWith('~') ? 'turn_context' : word.startsWith('?') ? 'unknown' : 'user_message';
			if (!nodes.has(id)) {
				const seq = nodes.size + 1;
				nodes.set(id, { id, parentId, seq, type, ts: seq, line: id, name: '', ...(word.startsWith('-') ? { deleted: true } : {}) });
			}
			parentId = id;
		}
	}
	return [...nodes.values()];
}

const naming = (id: string, seq: number, targetId: string, label: string | null, fields: Partial<OutlineNode> = {}): OutlineNode => ({
	id,
	parentId: targetId,
	seq,
	type: 'label',
	ts: seq,
	line: '',
	name: '',
	naming: { targetId, label },
	...fields
});

const ids = (outline: Outline) => outline.entries.map((entry) => entry.node.id).join(' ');
/** `..c` is two steps in. */
const picture = (rows: readonly OutlineRow[]) => rows.map((row) => '.'.repeat(row.indent) + row.entry.node.id).join(' ');

const sound = randomTree.map((nodes) => nodes.map(outlineNodeOf));
const at = fc.nat(1_000);
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

describe('what is in an outline', () => {
	it('TREE-30: every visible node once, parents before children, whatever the damage', () => {
		fc.assert(
			fc.property(fc.oneof(sound, damagedOutline), at, (nodes, index) => {
				const outline = outlineOf(nodes, pick(nodes, index)?.id ?? null);
				const listed = outline.entries.map((entry) => entry.node.id);
				expect([...listed].sort()).toEqual(
					nodes
						.filter(isVisible)
						.map((node) => node.id)
						.sort()
				);
				expect(outline.entriesById.size).toBe(listed.length);
				const seen = new Set<string>();
				for (const entry of outline.entries) {
					expect(entry.parentId === null ? outline.rootIds.includes(entry.node.id) : seen.has(entry.parentId)).toBe(true);
					seen.add(entry.node.id);
				}
				expect(outline.rootIds.reduce((sum, id) => sum + (outline.entriesById.get(id)?.size ?? 0), 0)).toBe(listed.length);
			})
		);
	});

	it('TREE-30: ten thousand in a chain, in a circle, and ten thousand versions', () => {
		const chain = treeFrom(
			Array.from({ length: 10_000 }, (): NodeStep => ({ parent: -1, kind: 'message', isDeleted: false, isConflicting: false }))
		).map(outlineNodeOf);
		const last = chain.at(-1)?.id ?? '';
		expect(outlineOf(chain, last)).toMatchObject({ elsewhereCount: 0, cursorId: last });
		expect(rowsOf(outlineOf(chain, last)).at(-1)).toMatchObject({ indent: 0, level: 2, position: 9_999, setSize: 9_999 });
		const circle = chain.map((node) => (node.parentId === null ? { ...node, parentId: last } : node));
		expect(outlineOf(circle, last).entries.length).toBe(10_000);
		const flat = chain.map((node) => ({ ...node, parentId: node.parentId === null ? null : 'n0000' }));
		expect(rowsOf(outlineOf(flat, last)).length).toBe(10_000);
	});

	it('TREE-31: children and versions are those of the tree', () => {
		fc.assert(
			fc.property(sound, (nodes) => {
				const tree = treeOf(nodes);
				const outline = outlineOf(nodes, null);
				for (const { node, childIds, parentId, versionIndex, versionCount, cut } of outline.entries) {
					expect(childIds).toEqual(logicalChildren(tree, node.id).map((child) => child.id));
					expect(parentId).toBe(logicalParent(tree, node.id)?.id ?? null);
					const siblings = logicalSiblings(tree, node.id);
					expect([versionCount, siblings[versionIndex]?.id, cut]).toEqual([siblings.length, node.id, null]);
				}
			})
		);
	});

	it('TREE-31: what hangs under nothing stands at the end with a mark and is nobody’s version', () => {
		const nodes = [...drawn('a<b', 'gone<c<d', '-lost<e'), ...drawn('x<y<z')]
			.filter((node) => node.id !== 'gone')
			.map((node) => (node.id === 'lost' ? { ...node, parentId: 'nobody' } : node.id === 'x' ? { ...node, parentId: 'z' } : node));
		const outline = outlineOf(nodes, 'd');
		expect(ids(outline)).toBe('a b c d e x y z');
		expect(outline.rootIds.map((id) => [id, outline.entriesById.get(id)?.cut, outline.entriesById.get(id)?.versionCount])).toEqual([
			['a', null, 1],
			['c', 'missing-parent', 1],
			['e', 'missing-parent', 1],
			['x', 'circle', 1]
		]);
		expect(outline.entriesById.get('d')).toMatchObject({ cut: null, isOnPath: true });
		expect(outlineOf([{ ...(drawn('me')[0] as OutlineNode), parentId: 'me' }], 'me').entriesById.get('me')).toMatchObject({
			cut: 'circle'
		});
	});

	it('TREE-32: the path is marked from the cursor to the top, and the rest is counted', () => {
		fc.assert(
			fc.property(fc.oneof(sound, damagedOutline), at, (nodes, index) => {
				const leafId = pick(nodes, index)?.id ?? null;
				const outline = outlineOf(nodes, leafId);
				const path = pathTo(treeOf(nodes), leafId).filter(isVisible);
				expect(outline.cursorId).toBe(path.at(-1)?.id ?? null);
				const marked = outline.entries.filter((entry) => entry.isOnPath);
				expect(outline.elsewhereCount).toBe(outline.entries.length - marked.length);
				expect(marked.at(-1)?.node.id ?? null).toBe(outline.cursorId);
				marked.forEach((entry, place) => expect(entry.parentId).toBe(marked[place - 1]?.node.id ?? null));
			})
		);
		fc.assert(
			fc.property(sound, at, (nodes, index) => {
				const leafId = pick(nodes, index)?.id ?? null;
				const path = pathTo(treeOf(nodes), leafId).filter(isVisible);
				expect(
					outlineOf(nodes, leafId)
						.entries.filter((entry) => entry.isOnPath)
						.map((entry) => entry.node)
				).toEqual(path);
			})
		);
	});

	it('TREE-33: the newest living label wins, empty takes it away, nobody has none, and what hangs under a label is there', () => {
		const tree = drawn('a<b<c', 'a<d');
		const labelled = (...marks: OutlineNode[]) => {
			const outline = outlineOf([...marks, ...tree], 'c');
			return outline.entries.map(({ node, label }) => `${node.id}${label === null ? '' : `:${label}`}`).join(' ');
		};
		expect(labelled(naming('l2', 12, 'b', 'new'), naming('l1', 11, 'b', 'old'))).toBe('a b:new c d');
		expect(labelled(naming('l2', 12, 'b', null), naming('l1', 11, 'b', 'old'))).toBe('a b c d');
		expect(labelled(naming('l2', 12, 'b', ''), naming('l1', 11, 'b', 'old'))).toBe('a b c d');
		expect(labelled(naming('l2', 12, 'b', 'new', { deleted: true }), naming('l1', 11, 'b', 'old'))).toBe('a b:old c d');
		expect(labelled(naming('l1', 11, 'nobody', 'lost'))).toBe('a b c d');
		const under = outlineOf([...tree, naming('l', 11, 'b', 'x'), { ...(drawn('e')[0] as OutlineNode), parentId: 'l', seq: 12 }], null);
		expect(under.entriesById.get('e')?.parentId).toBe('b');
	});

	it('TREE-34: forks with their ways on, and what the deletion of the others would take', () => {
		const outline = outlineOf(drawn('a<b<c<d', 'b<e', 'a<f', '~x<g'), 'c');
		expect(forksOf(outline)).toEqual([
			{ id: null, branchIds: ['a', 'g'] },
			{ id: 'a', branchIds: ['b', 'f'] },
			{ id: 'b', branchIds: ['c', 'e'] }
		]);
		// d follows the cursor and stays.
		expect([outline.elsewhereCount, otherBranchesCount(outline)]).toEqual([4, 3]);
		expect(otherBranchesCount(outlineOf(drawn('a<b'), null))).toBe(0);
	});
});

describe('what is kept of a node', () => {
	const node = (content: NodeContent): TreeNode => ({
		id: 'n',
		threadId: 't',
		parentId: null,
		seq: 1,
		ts: 1,
		ord: '',
		segmentId: 'n',
		depth: 0,
		...content
	});
	const text = (words: string) => [{ type: 'text' as const, text: words }];

	it('TREE-35: the first line that says something, cut by code points', () => {
		expect(firstLineOf('\n\n## A **title**\nmore')).toBe('A title');
		expect(firstLineOf('```\ncode `x`')).toBe('code x');
		expect(firstLineOf('- 1. > first\t thing')).toBe('first thing');
		expect(firstLineOf(' \n ')).toBe('');
		expect([...firstLineOf('树'.repeat(300))].length).toBe(maxLineLength);
		expect([...firstLineOf('🌳'.repeat(300))].at(-2)).toBe('🌳');
		expect(firstLineOf(`${'\n'.repeat(1_000_000)}x`)).toBe('');
	});

	it('TREE-35: each type by what it says or what it is called, and never its body', () => {
		const body = `${'long '.repeat(50_000)}end`;
		const contents: readonly (readonly [NodeContent, Partial<OutlineNode>])[] = [
			[
				{ type: 'user_message', payload: { content: text('hello\nyou') } },
				{ line: 'hello', name: '' }
			],
			[{ type: 'user_message', payload: { content: [{ type: 'missing', kind: 'image', name: 'tree.png' }] } }, { line: 'tree.png' }],
			[
				{ type: 'assistant_message', payload: { content: text('hi'), model: 'm', connectionId: 'guide', status: 'complete' } },
				{ line: 'hi', name: 'm', isGuide: true }
			],
			[{ type: 'tool_call', payload: { itemId: 'i', toolName: 'search', params: {}, level: 'builtin' } }, { name: 'search' }],
			[{ type: 'tool_result', payload: { itemId: 'i', ok: true, status: 'ok', contentForLlm: text('found') } }, { line: 'found' }],
			[{ type: 'system_notice', payload: { code: 'tree-repaired' } }, { name: 'tree-repaired' }],
			[{ type: 'branch_summary', payload: { fromId: null, summary: 'Left.' } }, { line: 'Left.' }],
			[{ type: 'compaction', payload: { summary: 'Before.', tokensBefore: null } }, { line: 'Before.' }],
			[
				{ type: 'custom_message', payload: { customType: 'note', content: text('n'), display: true } },
				{ line: 'n', name: 'note' }
			],
			[{ type: 'label', payload: { targetId: 'x', label: 'L' } }, { naming: { targetId: 'x', label: 'L' } }],
			[{ type: 'unknown', payload: { originalType: 'hologram', raw: null } }, { name: 'hologram' }],
			[{ type: 'user_message', payload: { content: text(body) } }, {}]
		];
		for (const [content, expected] of contents) {
			const kept = outlineNodeOf(node(content));
			expect(kept).toMatchObject(expected);
			expect(JSON.stringify(kept).length).toBeLessThan(600);
		}
		expect(outlineNodeOf({ ...node({ type: 'custom', payload: { customType: 'c' } }), type: 'from-tomorrow' } as never)).toMatchObject({
			name: 'from-tomorrow'
		});
	});
});

describe('rows', () => {
	it('TREE-36: the biggest branch goes straight on, the others stand before it one step in, equals by age', () => {
		const nodes = drawn('a<b<c<d<e', 'b<f<g', 'f<h', 'b<i');
		expect(picture(rowsOf(outlineOf(nodes, 'e')))).toBe('a b .f ..g .h .i c d e');
		expect(picture(rowsOf(outlineOf(drawn('a<b', 'a<c'), 'b')))).toBe('a .b c');
		expect(picture(rowsOf(outlineOf(drawn('a<b', '~x<c', '~y<d<e<f'), 'b')))).toBe('.a .b .c d e f');
	});

	it('TREE-36: as few steps in as halvings of the tree, and the same rows whatever is in view', () => {
		fc.assert(
			fc.property(fc.oneof(sound, damagedOutline), at, (nodes, index) => {
				const rows = rowsOf(outlineOf(nodes, null));
				expect(Math.max(0, ...rows.map((row) => row.indent))).toBeLessThanOrEqual(Math.log2(rows.length + 1));
				expect(picture(rowsOf(outlineOf(nodes, pick(nodes, index)?.id ?? null)))).toBe(picture(rows));
			})
		);
	});

	it('TREE-37: level, place and number are right for each row, and its parent row stands before it', () => {
		fc.assert(
			fc.property(fc.oneof(sound, damagedOutline), (nodes) => {
				const rows = rowsOf(outlineOf(nodes, null));
				expect(rows.map((row) => row.entry.node.id).sort()).toEqual(
					nodes
						.filter(isVisible)
						.map((node) => node.id)
						.sort()
				);
				const seen = new Map<string | null, OutlineRow>();
				for (const row of rows) {
					expect(row.level).toBe((seen.get(row.parentRowId)?.level ?? 0) + 1);
					seen.set(row.entry.node.id, row);
					const siblings = rows.filter((other) => other.parentRowId === row.parentRowId);
					expect([siblings.indexOf(row) + 1, siblings.length]).toEqual([row.position, row.setSize]);
				}
			})
		);
	});

	it('TREE-38: a folded row hides what stands under it and nothing else', () => {
		const rows = rowsOf(outlineOf(drawn('a<b<c<d<e', 'b<f<g', 'f<h', 'b<i'), 'e'));
		const without = (...folded: string[]) => picture(unfoldedRows(rows, (row) => folded.includes(row.entry.node.id)));
		expect(without('f')).toBe('a b .f .i c d e');
		expect(without('a')).toBe('a');
		expect(without('g', 'c')).toBe('a b .f ..g .h .i c d e');
		fc.assert(
			fc.property(fc.oneof(sound, damagedOutline), fc.array(at), (nodes, folds) => {
				const all = rowsOf(outlineOf(nodes, null));
				const folded = new Set(folds.map((fold) => pick(all, fold)?.entry.node.id));
				const byId = new Map<string | null, OutlineRow>(all.map((row) => [row.entry.node.id, row]));
				const hasFoldedAbove = (row: OutlineRow): boolean => {
					for (let above = byId.get(row.parentRowId); above; above = byId.get(above.parentRowId))
						if (folded.has(above.entry.node.id)) return true;
					return false;
				};
				expect(unfoldedRows(all, (row) => folded.has(row.entry.node.id))).toEqual(all.filter((row) => !hasFoldedAbove(row)));
			})
		);
	});

	it('TREE-39: a filter keeps what it shows, under the nearest shown one; Chinese is found as it is written', () => {
		const nodes = drawn('a<b<c<d', 'b<e').map((node): OutlineNode => ({
			...node,
			type: 'ac'.includes(node.id) ? 'user_message' : 'assistant_message'
		}));
		const outline = outlineOf(
			[...nodes, naming('l', 20, 'e', 'Zürich'), { ...(drawn('z')[0] as OutlineNode), parentId: 'd', seq: 30, line: '树的分支怎么走' }],
			'd'
		);
		const shown = (...[filter, search]: Parameters<typeof shownBy>) => picture(rowsOf(outline, shownBy(filter, search)));
		expect(shown('all', '')).toBe('a b .e c d z');
		expect(shown('questions', '')).toBe('a c z');
		expect(shown('labelled', '')).toBe('e');
		expect(shown('all', '分支')).toBe('z');
		expect(shown('all', ' ZÜRICH')).toBe('e');
		expect(nearestShown(outline, 'd', shownBy('questions', ''))).toBe('c');
		expect(nearestShown(outline, 'd', shownBy('labelled', ''))).toBeNull();
		fc.assert(
			fc.property(fc.oneof(sound, damagedOutline), fc.array(fc.boolean(), { minLength: 1 }), (all, keep) => {
				const whole = outlineOf(all, null);
				const isShown = (entry: { node: OutlineNode }) => keep[entry.node.seq % keep.length] === true;
				expect(
					rowsOf(whole, isShown)
						.map((row) => row.entry.node.id)
						.sort()
				).toEqual(
					whole.entries
						.filter(isShown)
						.map((entry) => entry.node.id)
						.sort()
				);
			})
		);
	});
});

describe('deletions', () => {
	it('TREE-40: one stamp is one deletion, newest first, counted by what was seen', () => {
		const device = '00000000000000aa';
		const [early, late] = [nextStamp(device, 1_000, null), nextStamp(device, 2_000, null)];
		const gone = (id: string, deletedOrd: string | null): OutlineNode[] =>
			drawn(`-${id}`).map((node) => ({ ...node, seq: id.charCodeAt(0), ...(deletedOrd === null ? {} : { deletedOrd }) }));
		const context: OutlineNode = { ...(gone('t', early)[0] as OutlineNode), type: 'turn_context' };
		const found = deletionsOf([
			...gone('c', early),
			...gone('b', early),
			context,
			...gone('d', late),
			...gone('e', null),
			...drawn('f'),
			...gone('g', 'odd')
		]);
		expect(found.map(({ stamp, deletedAtMs, count, first }) => [stamp, deletedAtMs, count, first.id])).toEqual([
			['odd', null, 1, 'g'],
			[late, 2_000, 1, 'd'],
			[early, 1_000, 2, 'b']
		]);
	});
});
