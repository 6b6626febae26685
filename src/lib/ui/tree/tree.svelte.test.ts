// The outline and the map in a real browser: focus, virtual rows, drawing and the hand.
import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { userEvent } from 'vitest/browser';
import { flushSync, tick } from 'svelte';
import { outlineOf, type OutlineNode } from '#lib/core/domain/outline.ts';
import type { Session } from '#lib/client/session.ts';
import type { ThreadViewState } from '#lib/client/state/thread-view.svelte.ts';
import { TreeViewState } from '#lib/client/state/tree-view.svelte.ts';
import Outline from './Outline.svelte';
import TreeMap from './TreeMap.svelte';

const node = (seq: number, parent: number | null): OutlineNode => ({
	id: `m${seq}`,
	parentId: parent === null ? null : `m${parent}`,
	seq,
	type: seq % 2 === 0 ? 'user_message' : 'assistant_message',
	ts: seq,
	line: `line ${seq}`,
	name: 'model'
});
const chain = (count: number) => Array.from({ length: count }, (_, seq) => node(seq, seq === 0 ? null : seq - 1));

async function setupOutline(nodes: readonly OutlineNode[], leafId: string) {
	const session = { watch: (_: unknown, onValue: (value: unknown) => void) => (onValue(nodes), () => {}) } as unknown as Session;
	const thread = { threadId: 't', view: { thread: { leafId } } } as unknown as ThreadViewState;
	const acts: string[] = [];
	const tree = new TreeViewState(session, thread);
	const { container } = await render(Outline, {
		state: tree,
		writeTime: () => 'now',
		onact: (act, id) => acts.push(`${act} ${id}`),
		onmenu: (row) => acts.push(`menu ${row.entry.node.id}`)
	});
	container.style.cssText = 'block-size: 400px; inline-size: 380px; display: grid';
	const element = container.querySelector<HTMLElement>('[role=tree]');
	if (!element) throw new Error('no tree');
	element.focus();
	const active = () => {
		const id = element.getAttribute('aria-activedescendant');
		return id === null ? null : (document.getElementById(id)?.getAttribute('data-node') ?? 'not in the page');
	};
	return { container, element, active, acts, tree };
}

const press = async (keys: string) => {
	await userEvent.keyboard(keys);
	flushSync();
	await tick();
};

describe('the outline', () => {
	it('OUTL-01: the tree keeps the focus and names the active row, wherever it is', async () => {
		const { element, active, acts } = await setupOutline([...chain(40), node(40, 3), node(41, 40)], 'm39');
		await expect.poll(active).toBe('m39');
		await press('{Home}');
		await expect.poll(active).toBe('m0');
		await press('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}');
		await expect.poll(active).toBe('m40');
		expect(document.querySelector('[data-node=m40]')?.getAttribute('aria-expanded')).toBe('true');
		await press('{ArrowLeft}');
		await expect.poll(() => document.querySelector('[data-node=m40]')?.getAttribute('aria-expanded')).toBe('false');
		expect(document.querySelector('[data-node=m41]')).toBeNull();
		await press('{ArrowRight}{ArrowRight}');
		await expect.poll(active).toBe('m41');
		await press('{End}');
		await expect.poll(active).toBe('m39');
		await press('{Enter}');
		await press('{Shift>}{Enter}{/Shift}');
		await press('{F2}');
		expect(acts).toEqual(['show m39', 'go-on m39', 'label m39']);
		expect(document.activeElement).toBe(element);
	});

	it('OUTL-02: a row says in words what it shows', async () => {
		await setupOutline([node(0, null), node(1, 0), node(3, 0)], 'm3');
		await expect
			.poll(() => document.querySelector('[data-node=m3]')?.getAttribute('aria-label'))
			.toBe('model: line 3, Version 2 of 2, You are here, now');
	});

	it('OUTL-05: five thousand messages are a few rows in the page, at the beginning, the middle and the end', async () => {
		const { container, active, tree } = await setupOutline(chain(5_000), 'm2500');
		const rows = () => container.querySelectorAll('[role=treeitem]').length;
		await expect.poll(active).toBe('m2500');
		await expect.poll(rows).toBeGreaterThan(5);
		expect(rows()).toBeLessThan(60);
		await press('{End}');
		await expect.poll(active).toBe('m4999');
		expect(rows()).toBeLessThan(60);
		expect(tree.rows.length).toBe(5_000);
		expect(container.querySelector('[data-node=m4999]')?.getAttribute('aria-setsize')).toBe('4999');
	});
});

describe('the map', () => {
	async function setupMap(nodes: readonly OutlineNode[], leafId: string, svgUpTo = 2_000) {
		const shown: string[] = [];
		const { container } = await render(TreeMap, { outline: outlineOf(nodes, leafId), svgUpTo, onshow: (id) => shown.push(id) });
		container.style.cssText = 'block-size: 500px; inline-size: 400px; display: grid';
		const view = container.querySelector<HTMLElement>('.view');
		if (!view) throw new Error('no map');
		const at = (type: string, x: number, y: number) => {
			const { left, top } = view.getBoundingClientRect();
			view.dispatchEvent(
				new PointerEvent(type, { pointerId: 1, pointerType: 'touch', isPrimary: true, clientX: left + x, clientY: top + y, bubbles: true })
			);
		};
		return { container, view, shown, at };
	}

	it('OUTL-06: a thing for each message and the branch in view drawn over the others', async () => {
		const { container } = await setupMap([...chain(6), node(7, 1), node(9, 7)], 'm5');
		await expect.poll(() => container.querySelectorAll('.view path.thing').length).toBe(8);
		expect(container.querySelectorAll('.view path.thing.path').length).toBe(6);
		expect(container.querySelectorAll('.view .ring').length).toBe(1);
		expect(container.querySelector('.view svg')?.getAttribute('aria-hidden')).toBe('true');
	});

	it('OUTL-06: what is many is drawn on a canvas', async () => {
		const { container } = await setupMap(chain(30), 'm29', 20);
		const canvas = container.querySelector('canvas');
		const inked = () => {
			const context = canvas?.getContext('2d');
			if (!context || !canvas || canvas.width === 0) return 0;
			return context.getImageData(0, 0, canvas.width, canvas.height).data.filter((value, index) => index % 4 === 3 && value > 0).length;
		};
		await expect.poll(inked).toBeGreaterThan(500);
	});

	it('OUTL-07: a tap shows the branch, a drag moves the map, keys and buttons zoom', async () => {
		const { container, view, shown, at } = await setupMap([...chain(4), node(5, 1)], 'm3');
		const group = () => container.querySelector('.view g')?.getAttribute('transform') ?? '';
		await expect.poll(() => container.querySelector('.view circle.ring')).not.toBeNull();
		const ring = () => {
			const { left, top, width, height } = container.querySelector('.view circle.ring')!.getBoundingClientRect();
			const frame = view.getBoundingClientRect();
			return { x: left - frame.left + width / 2, y: top - frame.top + height / 2 };
		};
		await expect.poll(() => ring().y).toBeGreaterThan(20);
		const place = ring();
		at('pointerdown', place.x, place.y);
		at('pointerup', place.x, place.y);
		expect(shown).toEqual(['m3']);
		const before = group();
		view.focus();
		await press('+');
		expect(group()).not.toBe(before);
		await press('0');
		const fitted = group();
		await press('{ArrowDown}');
		expect(group()).not.toBe(fitted);
		container.querySelectorAll<HTMLButtonElement>('.tools button')[2]?.click();
		flushSync();
		expect(group()).toBe(fitted);
	});
});
