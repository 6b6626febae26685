// Random lives of a thread, and the laws that hold after every step. fast-check prints the seed of a life that breaks one.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isVisible, type TreeNode } from '#lib/core/domain/nodes.ts';
import { pathTo, reachesRoot, treeOf } from '#lib/core/domain/tree.ts';
import { newId } from '#lib/platform/ids.ts';
import { readThreadView } from '#lib/storage/queries/thread-view.ts';
import { recoverRuns } from './recovery.ts';
import { ended, newTurnIds, said, setupEngine, setupThread, started, turnSettings, type TestEngine } from './test-engine.ts';

type Step =
	| { readonly kind: 'submit' | 'crash'; readonly outcome: Outcome }
	| { readonly kind: 'edit' | 'regenerate' | 'resume'; readonly pick: number; readonly outcome: Outcome }
	| { readonly kind: Gesture; readonly pick: number }
	| { readonly kind: 'graft'; readonly pick: number; readonly length: number; readonly target: number }
	| { readonly kind: 'clock'; readonly byMs: number };
/** What a person does in the tree without asking anything. */
type Gesture = (typeof gestures)[number];
const gestures = [
	'select',
	'saveVersion',
	'selectAt',
	'selectBefore',
	'delete',
	'restore',
	'deleteBranch',
	'deleteOthers',
	'restoreBranch',
	'undo',
	'label',
	'fork'
] as const;
type Outcome = 'whole' | 'cut' | 'nothing' | 'stopped';

/** `LAW_LIVES=10000 LAW_SEED=1 npx vitest run …` for the long run (docs/development.md). */
const lives = Number(process.env['LAW_LIVES'] ?? 60);
const seed = Number(process.env['LAW_SEED'] ?? Math.floor(Math.random() * 0x7fffffff));

const outcome = fc.constantFrom<Outcome>('whole', 'whole', 'cut', 'nothing', 'stopped');
const pick = fc.nat(1_000);
const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('submit' as const), outcome }) },
	{ weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('edit' as const, 'regenerate' as const, 'resume' as const), pick, outcome }) },
	{ weight: 7, arbitrary: fc.record({ kind: fc.constantFrom(...gestures), pick }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('graft' as const), pick, length: fc.nat(4), target: pick }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), outcome }) },
	{ weight: 1, arbitrary: fc.record({ kind: fc.constant('clock' as const), byMs: fc.integer({ min: -100_000, max: 100_000 }) }) }
);

async function live(engine: TestEngine, threadId: string, next: Step): Promise<void> {
	const nodes = await engine.nodes(threadId);
	const ids = newTurnIds();
	const turn = { threadId, ...turnSettings, ...ids };
	const picked = (nodesToPick: readonly TreeNode[], at: number) => nodesToPick[at % Math.max(1, nodesToPick.length)]?.id;
	const living = nodes.filter((node) => node.deleted !== true);
	switch (next.kind) {
		case 'submit':
		case 'crash': {
			await engine.send('turn.submit', { ...turn, text: 'q' });
			if (next.kind === 'submit') return finish(engine, threadId, ids.runId, next.outcome);
			(await engine.model.nextCall()).say(started, said('half'));
			await expect.poll(() => engine.database.inflight.count()).toBe(1);
			await recoverRuns(engine.deps);
			engine.model.calls.at(-1)?.say(ended);
			return engine.runEnded(ids.runId);
		}
		case 'edit':
		case 'regenerate':
		case 'resume': {
			const types = { edit: ['user_message'], regenerate: ['user_message', 'assistant_message'], resume: ['assistant_message'] }[next.kind];
			const nodeId = picked(
				living.filter((node) => types.includes(node.type)),
				next.pick
			);
			if (nodeId === undefined) return;
			const receipt =
				next.kind === 'edit'
					? await engine.send('turn.fork', { ...turn, kind: 'edit', nodeId, text: 'better' })
					: next.kind === 'regenerate'
						? await engine.send('turn.fork', { ...turn, kind: 'regenerate', nodeId })
						: await engine.send('turn.resume', { ...turn, nodeId });
			return receipt.ok ? finish(engine, threadId, ids.runId, next.outcome) : undefined;
		}
		case 'saveVersion':
		case 'select':
		case 'selectAt':
		case 'selectBefore':
		case 'delete':
		case 'deleteBranch':
		case 'label':
		case 'fork':
		case 'undo': {
			const nodeId = picked(living.filter(isVisible), next.pick);
			if (nodeId !== undefined) await gesture(engine, threadId, next.kind, nodeId);
			return;
		}
		case 'deleteOthers': {
			const leafId = (await engine.database.threads.get(threadId))?.leafId;
			if (leafId == null) return;
			const path = pathTo(treeOf(nodes), leafId).map((node) => node.id);
			await engine.send('branch.deleteOthers', { threadId, leafId });
			const left = (await engine.nodes(threadId)).filter((node) => node.deleted !== true).map((node) => node.id);
			expect(
				path.filter((id) => living.some((node) => node.id === id) && !left.includes(id)),
				'the path in view is protected'
			).toEqual([]);
			return;
		}
		case 'restoreBranch': {
			const deletion = nodes.filter((node) => node.deleted)[next.pick % Math.max(1, nodes.filter((node) => node.deleted).length)]
				?.deletedOrd;
			if (deletion !== undefined) expect((await engine.send('branch.restore', { threadId, deletion })).ok).toBe(true);
			return;
		}
		case 'graft': {
			const end = living.filter(isVisible)[next.pick % Math.max(1, living.filter(isVisible).length)];
			const targetId = picked(living.filter(isVisible), next.target);
			if (!end || targetId === undefined) return;
			const path = pathTo(treeOf(nodes), end.id).filter((node) => isVisible(node));
			const fromId = path.at(-1 - Math.min(next.length, path.length - 1))?.id;
			if (fromId === undefined) return;
			const receipt = await engine.send('node.graft', { threadId, fromId, toId: end.id, targetId });
			if (!receipt.ok) return expect(receipt.error.code).toBe('node-not-found');
			const after = await engine.nodes(threadId);
			const copies = pathTo(treeOf(after), receipt.value.leafId).slice(-receipt.value.count);
			expect(copies.at(-1)?.copiedFrom).toEqual({ threadId, nodeId: end.id });
			return;
		}
		case 'restore': {
			const nodeId = picked(
				nodes.filter((node) => node.deleted),
				next.pick
			);
			if (nodeId !== undefined) await engine.send('node.restore', { threadId, nodeId });
			return;
		}
		case 'clock':
			engine.clock.jump(next.byMs);
	}
}

async function gesture(
	engine: TestEngine,
	threadId: string,
	kind: 'saveVersion' | 'select' | 'selectAt' | 'selectBefore' | 'delete' | 'deleteBranch' | 'label' | 'fork' | 'undo',
	nodeId: string
): Promise<void> {
	const thread = await engine.database.threads.get(threadId);
	switch (kind) {
		case 'select':
			await engine.send('thread.selectBranch', { threadId, nodeId });
			return;
		case 'selectAt':
			expect(await engine.send('thread.selectBranch', { threadId, nodeId, position: 'at' })).toMatchObject({ value: { leafId: nodeId } });
			return;
		case 'selectBefore':
			await engine.send('thread.selectBranch', { threadId, nodeId, position: 'before' });
			return;
		case 'saveVersion': {
			const messageNodeId = newId();
			const saved = await engine.send('node.saveVersion', { threadId, nodeId, messageNodeId, text: 'kept' });
			if (saved.ok) expect((await engine.database.threads.get(threadId))?.leafId).toBe(messageNodeId);
			return;
		}
		case 'delete':
			await engine.send('node.delete', { threadId, nodeId });
			return;
		case 'deleteBranch':
			await engine.send('branch.delete', { threadId, nodeId });
			return;
		case 'label':
			await engine.send('node.label', { threadId, labelNodeId: newId(), targetId: nodeId, label: nodeId.slice(0, 3) });
			expect((await engine.database.threads.get(threadId))?.leafId, 'a label moves no cursor').toBe(thread?.leafId);
			return;
		case 'undo': {
			const before = (await engine.nodes(threadId)).map((node) => [node.id, node.deleted]);
			const deleted = await engine.send('branch.delete', { threadId, nodeId });
			if (!deleted.ok) throw new Error(deleted.error.code);
			const leafId = thread?.leafId;
			await engine.send('branch.restore', { threadId, deletion: deleted.value.deletion, ...(leafId == null ? {} : { leafId }) });
			expect((await engine.nodes(threadId)).map((node) => [node.id, node.deleted])).toEqual(before);
			if (leafId != null) expect((await engine.database.threads.get(threadId))?.leafId).toBe(leafId);
			return;
		}
		case 'fork': {
			const newThreadId = newId();
			const nodes = await engine.nodes(threadId);
			const visible = pathTo(treeOf(nodes), nodeId).filter(isVisible);
			await engine.send('thread.fork', { threadId, nodeId, newThreadId, scope: 'path', title: 'copy' });
			const copies = (await engine.nodes(newThreadId)).filter(isVisible);
			expect(copies.map((copy) => copy.copiedFrom?.nodeId)).toEqual(visible.map((node) => node.id));
			expect(copies.map((copy) => copy.payload)).toEqual(visible.map((node) => payloadOfCopy(node, copies)));
			await checkLaws(engine, newThreadId, [], false);
			await engine.send('thread.delete', { threadId: newThreadId });
		}
	}
}

/** What `node` names, its copy names among the copies; what was not copied, a deleted piece, it names no more (TREE-13). */
function payloadOfCopy(node: TreeNode, copies: readonly TreeNode[]): unknown {
	if (node.type !== 'assistant_message' || node.payload.continuesNodeId === undefined) return node.payload;
	const { continuesNodeId, ...rest } = node.payload;
	const continued = copies.find((copy) => copy.copiedFrom?.nodeId === continuesNodeId);
	return continued ? { ...rest, continuesNodeId: continued.id } : rest;
}

async function finish(engine: TestEngine, threadId: string, runId: string, how: Outcome): Promise<void> {
	const call = await engine.model.nextCall();
	if (how === 'whole') call.say(started, said('whole'), ended);
	if (how === 'cut') call.say(started, said('half'));
	if (how === 'cut' || how === 'nothing') call.fail({ code: 'model-stream-cut' });
	if (how === 'stopped') {
		call.say(started, said('half'));
		await engine.send('turn.interrupt', { threadId, runId });
	}
	await engine.runEnded(runId);
}

async function checkLaws(engine: TestEngine, threadId: string, before: readonly TreeNode[], mayStandBefore: boolean): Promise<void> {
	const nodes = await engine.nodes(threadId);
	const thread = await engine.database.threads.get(threadId);
	if (!thread) throw new Error('the thread is there');
	const tree = treeOf(nodes);
	// Nothing goes, and nothing but the tombstone changes.
	const plain = ({ deleted, deletedOrd, ...rest }: TreeNode) => ({ rest, wasDeleted: deleted === true && deletedOrd === undefined });
	const kept = nodes.filter((node) => before.some((old) => old.id === node.id));
	expect(kept.map((node) => plain(node).rest)).toEqual(before.map((node) => plain(node).rest));
	// One order of arrival, without holes, from the thread's own counter.
	expect(nodes.map((node) => node.seq)).toEqual(nodes.map((_, at) => at + 1));
	expect(thread.lastSeq).toBe(nodes.length);
	const firstOfSegment = new Map<string, TreeNode>();
	for (const node of nodes) {
		const parent = node.parentId === null ? null : tree.nodesById.get(node.parentId);
		expect(parent, 'a parent exists').not.toBeUndefined();
		if (parent) expect(node.ord > parent.ord, 'a child is stamped later').toBe(true);
		expect(reachesRoot(tree, node.id)).toBe(true);
		expect(node.depth).toBe(pathTo(tree, node.id).length - 1);
		// A segment is one unbranched chain: each node after its first hangs under the one before.
		const last = firstOfSegment.get(node.segmentId);
		if (node.segmentId === node.id) expect(node.forkSegmentId).toBe(parent ? parent.segmentId : 'root');
		else {
			expect(node.parentId).toBe(last?.id);
			expect(node.forkSegmentId).toBeUndefined();
		}
		firstOfSegment.set(node.segmentId, node);
		expect(Object.keys(node).filter((key) => /child/i.test(key))).toEqual([]);
	}
	// The cursor stands on something that is there and living, and the view is its path.
	const leaf = thread.leafId === null ? null : tree.nodesById.get(thread.leafId);
	expect(leaf, 'the cursor is a node').not.toBeUndefined();
	if (leaf) expect(leaf.deleted).toBeUndefined();
	else if (!mayStandBefore) expect(nodes.some(isVisible), 'a cursor at nothing means that nothing is left').toBe(false);
	const view = await readThreadView(engine.database, threadId, { endId: null, limit: 1_000 });
	expect(view?.nodes.map((node) => node.id)).toEqual(pathTo(tree, thread.leafId).map((node) => node.id));
	expect([await engine.database.inflight.count(), view?.activeRun]).toEqual([0, undefined]);
}

it(
	'ENG-27: no sequence of commands breaks a law of the tree',
	async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
				const engine = await setupEngine();
				const threadId = await setupThread(engine);
				// "Before the first message" is a place of its own.
				let mayStandBefore = false;
				for (const next of steps) {
					const before = await engine.nodes(threadId);
					await live(engine, threadId, next);
					mayStandBefore ||= next.kind === 'selectBefore';
					await checkLaws(engine, threadId, before, mayStandBefore);
				}
				const stamps = (await engine.nodes(threadId)).map((node) => node.ord);
				expect(stamps).toEqual([...stamps].sort());
				expect(new Set(stamps).size).toBe(stamps.length);
				await engine.send('thread.delete', { threadId });
				expect(await engine.database.nodes.count()).toBe(0);
			}),
			{ numRuns: lives, seed }
		);
	},
	120_000 + lives * 1_000
);

it('ENG-27: two threads never touch each other', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), step), { minLength: 2, maxLength: 10 }), async (steps) => {
			const engine = await setupEngine();
			const threadIds = [await setupThread(engine), await setupThread(engine)];
			for (const [first, next] of steps) {
				const [threadId, otherId] = first ? threadIds : [...threadIds].reverse();
				if (threadId === undefined || otherId === undefined) throw new Error('there are two');
				const before = [await engine.nodes(otherId), await engine.database.threads.get(otherId)];
				await live(engine, threadId, next);
				expect([await engine.nodes(otherId), await engine.database.threads.get(otherId)]).toEqual(before);
				expect(await engine.send('thread.selectBranch', { threadId, nodeId: newId() })).toMatchObject({ ok: false });
			}
		}),
		{ numRuns: 20 }
	);
}, 120_000);
