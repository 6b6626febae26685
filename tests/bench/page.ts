// What is measured inside the browser: the product's own modules, production build, real IndexedDB. Called by run.mjs.
import { buildSessionContext } from '#lib/core/context/build-session-context.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { newThread, type Thread } from '#lib/core/domain/threads.ts';
import { createSystemClock } from '#lib/platform/clock.ts';
import { newDeviceId, newId } from '#lib/platform/ids.ts';
import { createReadingDatabase, type BoughDatabase } from '#lib/storage/database.ts';
import { advanceChangeFeed, createObservedDatabase } from '#lib/storage/observed-database.ts';
import { readThreadView } from '#lib/storage/queries/thread-view.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import { writeTransaction, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { mountMarkdown } from '#lib/ui/markdown/mount-markdown.svelte.ts';

export interface Pair {
	/** Milliseconds, one a round, the two sides taken in turns. */
	readonly ours: number[];
	readonly theirs: number[];
}

function invariant(condition: unknown, message: string): asserts condition {
	if (!condition) throw new Error(`wrong result: ${message}`);
}

async function timed(work: () => unknown): Promise<number> {
	const startedAt = performance.now();
	await work();
	return performance.now() - startedAt;
}

function threadOf(id: string, leafId: string | null, lastSeq: number): Thread {
	return newThread(id, 1, { title: 'bench', titleSource: 'person', leafId, lastSeq });
}

const prose = 'The quick brown fox jumps over the lazy dog, and the tree keeps every word of it. '.repeat(12);

/** One unbranched conversation of `count` nodes, as an import would store it. */
function linearNodes(threadId: string, count: number): TreeNode[] {
	const nodes: TreeNode[] = [];
	const first = newId();
	for (let index = 0; index < count; index++) {
		const parent = nodes.at(-1);
		const place = {
			id: parent ? newId() : first,
			threadId,
			parentId: parent?.id ?? null,
			seq: index + 1,
			ts: index,
			ord: `${String(index).padStart(9, '0')}-0000-00000000000000aa`,
			segmentId: first,
			depth: index,
			...(parent ? {} : { forkSegmentId: 'root' })
		};
		nodes.push(
			index % 2 === 0
				? { ...place, type: 'user_message', payload: { content: [{ type: 'text', text: prose }] } }
				: {
						...place,
						type: 'assistant_message',
						payload: { content: [{ type: 'text', text: prose }], model: 'm', connectionId: 'c', status: 'complete' }
					}
		);
	}
	return nodes;
}

async function seedThread(database: BoughDatabase, count: number): Promise<{ threadId: string; nodes: TreeNode[] }> {
	const threadId = newId();
	const nodes = linearNodes(threadId, count);
	for (let at = 0; at < nodes.length; at += 2000) await database.nodes.bulkAdd(nodes.slice(at, at + 2000));
	await database.threads.put(threadOf(threadId, nodes.at(-1)?.id ?? null, count));
	return { threadId, nodes };
}

async function openWriting(name: string, isObserved: boolean): Promise<WriteDeps> {
	const database = isObserved ? createObservedDatabase(name) : createReadingDatabase(name);
	await database.open();
	if (isObserved)
		await advanceChangeFeed({
			database,
			clock: createSystemClock(),
			epoch: await beginEpoch(database, () => ({ deviceId: newDeviceId(), epoch: 0 }))
		});
	return { database, clock: createSystemClock(), epoch: await beginEpoch(database, () => ({ deviceId: newDeviceId(), epoch: 0 })) };
}

/** One node through the engine's write path: receipt, node, thread row, the device's clock. */
async function append(deps: WriteDeps, threadId: string): Promise<void> {
	const id = newId();
	await writeTransaction(deps, ['threads', 'nodes', 'commandReceipts'], async (unit) => {
		const thread = await unit.thread(threadId);
		invariant(thread, 'the thread is there');
		await unit.append(threadId, {
			id,
			parentId: thread.leafId,
			content: { type: 'user_message', payload: { content: [{ type: 'text', text: prose }] } }
		});
		const appended = await unit.thread(threadId);
		invariant(appended, 'the thread is there');
		unit.putThread({ ...appended, leafId: id, updatedAt: unit.nowMs });
		unit.add('commandReceipts', {
			id,
			clientId: 'c',
			submissionId: id,
			commandType: 'bench',
			status: 'acknowledged',
			response: { ok: true, value: {} },
			requestFingerprint: id,
			createdAt: unit.nowMs,
			expiresAt: unit.nowMs + 1
		});
	});
}

/** The same rows by plain IndexedDB, strict too. */
function rawAppend(raw: IDBDatabase, thread: Thread, node: TreeNode): Promise<void> {
	return new Promise((resolve, reject) => {
		const transaction = raw.transaction(['threads', 'nodes', 'commandReceipts', 'device'], 'readwrite', { durability: 'strict' });
		transaction.oncomplete = () => resolve();
		transaction.onerror = () => reject(new Error(String(transaction.error)));
		transaction.objectStore('nodes').add(node);
		transaction.objectStore('threads').put(thread);
		transaction.objectStore('device').put({ key: 'bench', deviceId: '00000000000000aa', lastStamp: node.ord, epoch: 1 });
		transaction.objectStore('commandReceipts').add({
			id: node.id,
			clientId: 'c',
			submissionId: node.id,
			commandType: 'bench',
			status: 'acknowledged',
			response: { ok: true, value: {} },
			requestFingerprint: node.id,
			createdAt: 1,
			expiresAt: 2
		});
	});
}

async function appendVsRaw(rounds: number): Promise<Pair> {
	const deps = await openWriting('bench-append', true);
	const { threadId } = await seedThread(deps.database, 2);
	const raw = deps.database.backendDB();
	const rawThreadId = newId();
	const rawNodes = linearNodes(rawThreadId, rounds);
	const pair: Pair = { ours: [], theirs: [] };
	for (const [round, node] of rawNodes.entries()) {
		pair.ours.push(await timed(() => append(deps, threadId)));
		pair.theirs.push(await timed(() => rawAppend(raw, threadOf(rawThreadId, node.id, round + 1), node)));
	}
	invariant((await deps.database.nodes.where('threadId').equals(threadId).count()) === rounds + 2, 'every append is there');
	invariant((await deps.database.nodes.where('threadId').equals(rawThreadId).count()) === rounds, 'every raw append is there');
	deps.database.close();
	return pair;
}

async function observedVsPlain(rounds: number): Promise<Pair> {
	const observed = await openWriting('bench-observed', true);
	const plain = await openWriting('bench-plain', false);
	const a = await seedThread(observed.database, 2);
	const b = await seedThread(plain.database, 2);
	const pair: Pair = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round++) {
		pair.ours.push(await timed(() => append(observed, a.threadId)));
		pair.theirs.push(await timed(() => append(plain, b.threadId)));
	}
	invariant((await observed.database.table('_changes').count()) >= rounds, 'the feed has a row for each');
	invariant((await plain.database.table('_changes').count()) === 0, 'the plain side has no feed');
	observed.database.close();
	plain.database.close();
	return pair;
}

async function appendAtSizes(large: number, small: number, rounds: number): Promise<Pair> {
	const deps = await openWriting('bench-sizes', true);
	const a = await seedThread(deps.database, large);
	const b = await seedThread(deps.database, small);
	const pair: Pair = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round++) {
		pair.ours.push(await timed(() => append(deps, a.threadId)));
		pair.theirs.push(await timed(() => append(deps, b.threadId)));
	}
	invariant((await deps.database.nodes.where('threadId').equals(a.threadId).count()) === large + rounds, 'every append is there');
	deps.database.close();
	return pair;
}

async function openWindow(large: number, small: number, rounds: number): Promise<Pair> {
	const database = createReadingDatabase('bench-window');
	await database.open();
	const a = await seedThread(database, large);
	const b = await seedThread(database, small);
	const read = async (threadId: string, nodes: TreeNode[]) => {
		const view = await readThreadView(database, threadId, { endId: null, limit: 30 });
		invariant(view?.nodes.length === 30 && view.nodes.at(-1)?.id === nodes.at(-1)?.id, 'the newest thirty');
	};
	const pair: Pair = { ours: [], theirs: [] };
	for (let round = 0; round < rounds + 3; round++) {
		const ours = await timed(() => read(a.threadId, a.nodes));
		const theirs = await timed(() => read(b.threadId, b.nodes));
		if (round < 3) continue;
		pair.ours.push(ours);
		pair.theirs.push(theirs);
	}
	database.close();
	return pair;
}

function context(count: number, rounds: number): number[] {
	const nodes = linearNodes(newId(), count);
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const startedAt = performance.now();
		const { messages } = buildSessionContext(nodes);
		times.push(performance.now() - startedAt);
		invariant(messages.length === count, 'every message is in the context');
	}
	return times;
}

const markdownPiece = `## A heading\n\nSome prose with **bold** words, \`code\` and a [link](https://example.com).\n\n- one\n- two\n- three\n\n\`\`\`ts\nconst answer = 42;\n\`\`\`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`;
const labels = { copy: '', copied: '', code: '', table: '', formula: '', loadImage: '', imageFailed: '', taskDone: '', taskOpen: '' };

/** A 200-character delta at a length of `at` characters, layout included. */
function streamDelta(large: number, small: number, rounds: number): Pair {
	const long = markdownPiece.repeat(Math.ceil((large + rounds * 200) / markdownPiece.length) + 1);
	const measure = (at: number) => {
		const target = document.createElement('div');
		document.body.append(target);
		let shown = at;
		const view = mountMarkdown(target, { text: long.slice(0, shown), streaming: true }, { labels });
		return {
			step() {
				shown += 200;
				const startedAt = performance.now();
				view.update({ text: long.slice(0, shown), streaming: true });
				void target.offsetHeight;
				return performance.now() - startedAt;
			},
			end() {
				invariant(
					(target.textContent?.match(/A heading/g)?.length ?? 0) >= Math.floor(shown / markdownPiece.length),
					'the text is on screen'
				);
				view.destroy();
				target.remove();
			}
		};
	};
	const a = measure(large);
	const b = measure(small);
	const pair: Pair = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round++) {
		pair.ours.push(a.step());
		pair.theirs.push(b.step());
	}
	a.end();
	b.end();
	return pair;
}

/** Headings, wrapped prose, lists, tables, code and formulas. */
function denseMarkdown(length: number): string {
	const part = (n: number) =>
		`## Part ${n} of the answer\n\n${prose.slice(0, 160)} **Bold** words, \`code\`, a [link](https://example.com) and $x_{${n}}^2 + y^2 = z^2$.\n\n- one\n- two with *emphasis*\n  - nested\n- three\n\n\`\`\`ts\nexport function answer(n: number): number {\n\treturn n * ${n}; // why\n}\n\`\`\`\n\n| a | b | c |\n|---|---|---|\n| 1 | 2 | ${n} |\n| 4 | 5 | 6 |\n\n$$\\int_0^{${n}} \\frac{a}{b}\\,dx$$\n\n> quoted\n\n`;
	let text = '';
	for (let n = 0; text.length < length; n++) text += part(n);
	return text;
}

/** The browser names no shorter tasks than these. */
const shortestLongTaskMs = 50;

/**
 * The longest task from opening a finished answer, scrolled to its end as a thread opens, until all of it is drawn, typeset and
 * coloured; with the product's styles. Our side draws in slices, the other at once. 50 stands for "none longer".
 */
async function openAnswer(length: number, rounds: number): Promise<Pair> {
	const text = denseMarkdown(length);
	const styles = document.createElement('link');
	styles.rel = 'stylesheet';
	styles.href = '/page.css';
	await new Promise((resolve, reject) => {
		styles.onload = resolve;
		styles.onerror = () => reject(new Error('the styles of the bundle are missing'));
		document.head.append(styles);
	});
	const measure = async (inSlices: boolean) => {
		let longest = shortestLongTaskMs;
		const observer = new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
		});
		observer.observe({ type: 'longtask' });
		const scroller = document.createElement('div');
		scroller.style.cssText = 'block-size: 800px; inline-size: 46rem; overflow: auto';
		document.body.append(scroller);
		// In a task of its own, so that the building of the text above does not count.
		await new Promise((resolve) => setTimeout(resolve, 100));
		const view = mountMarkdown(scroller, { text, streaming: false }, { labels, inSlices });
		scroller.scrollTop = scroller.scrollHeight;
		const isDone = () =>
			scroller.querySelector('.block') !== null &&
			scroller.querySelector('[data-waiting], code.math-inline, code.math-display, code[data-language]:not(:has(span))') === null;
		while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 200));
		await new Promise((resolve) => setTimeout(resolve, 100));
		observer.disconnect();
		const parts = text.match(/^## /gm)?.length;
		invariant(scroller.querySelectorAll('h2').length === parts, 'every part is drawn');
		view.destroy();
		scroller.remove();
		return longest;
	};
	const pair: Pair = { ours: [], theirs: [] };
	for (let round = 0; round < rounds; round++) {
		pair.ours.push(await measure(true));
		pair.theirs.push(await measure(false));
	}
	styles.remove();
	return pair;
}

const bench = { appendVsRaw, observedVsPlain, appendAtSizes, openWindow, context, streamDelta, openAnswer };
export type Bench = typeof bench;
Object.assign(globalThis, { bench });
