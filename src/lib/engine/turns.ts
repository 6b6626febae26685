// Beginning a turn: what turn.submit, turn.fork and turn.resume write in common. ENGINE WORKER.
import { guideConnectionId } from '#lib/core/context/guide-connection.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { TreeNode } from '#lib/core/domain/nodes.ts';
import { isVisible } from '#lib/core/domain/nodes.ts';
import { normaliseTitle, type Thread } from '#lib/core/domain/threads.ts';
import type { Refusal } from '#lib/core/protocol/commands.ts';
import { invariant } from '#lib/core/std/invariant.ts';
import { err, ok, type Result } from '#lib/core/std/result.ts';
import { activeRunStates, type RunRow } from '#lib/storage/rows.ts';
import type { UnitOfWork } from '#lib/storage/writes/write-transaction.ts';
import type { CommandIdentity } from './engine-deps.ts';

export const turnTables = ['threads', 'nodes', 'forkChoices', 'runs', 'providers'] as const;

export interface TurnFields {
	readonly threadId: ThreadId;
	readonly turnId: string;
	readonly runId: string;
	readonly contextNodeId: NodeId;
	readonly answerNodeId: NodeId;
	readonly connectionId: string;
	readonly model: string;
	readonly locale: string;
}

export async function isThreadBusy(unit: UnitOfWork, threadId: ThreadId): Promise<boolean> {
	return (
		(await unit.database.runs
			.where('[threadId+state]')
			.anyOf(activeRunStates.map((state) => [threadId, state]))
			.count()) > 0
	);
}

/** The thread, when it is there and no run is at work in it. */
export async function threadAtRest(
	unit: UnitOfWork,
	threadId: ThreadId
): Promise<Result<Thread, Refusal<'thread-not-found' | 'thread-busy'>>> {
	const thread = await unit.thread(threadId);
	if (!thread) return err({ code: 'thread-not-found' });
	return (await isThreadBusy(unit, threadId)) ? err({ code: 'thread-busy' }) : ok(thread);
}

/** The code that refuses a turn, or null when it may begin. */
export async function turnRefusal(
	unit: UnitOfWork,
	fields: TurnFields
): Promise<'thread-not-found' | 'thread-busy' | 'connection-not-found' | null> {
	const thread = await threadAtRest(unit, fields.threadId);
	if (!thread.ok) return thread.error.code;
	return connectionRefusal(unit, fields);
}

/** The code that refuses the first turn of a thread that does not exist yet, or null when it may begin. */
export async function newThreadRefusal(unit: UnitOfWork, fields: TurnFields): Promise<'thread-exists' | 'connection-not-found' | null> {
	return (await unit.thread(fields.threadId)) ? 'thread-exists' : connectionRefusal(unit, fields);
}

async function connectionRefusal(unit: UnitOfWork, { connectionId }: TurnFields): Promise<'connection-not-found' | null> {
	return connectionId === guideConnectionId || (await unit.database.providers.get(connectionId)) ? null : 'connection-not-found';
}

/** Where a turn begins and what it says. `parentId`: null for a first question, or a new version of one. */
export interface TurnStart {
	readonly parentId: NodeId | null;
	readonly question?: { readonly id: NodeId; readonly text: string };
	/** The cut answer that goes on. */
	readonly continuesNodeId?: NodeId;
	/** Where the person sees the run when the turn asks nothing new. */
	readonly anchorNodeId?: NodeId;
}

/** Writes turn context, question, run, cursor and fork memory. The caller has asked `turnRefusal`. */
export async function beginTurn(unit: UnitOfWork, identity: CommandIdentity, fields: TurnFields, start: TurnStart): Promise<void> {
	const { threadId, turnId, connectionId, model, locale } = fields;
	// Once the run is going it is too late: an answer that can never be written would keep the thread busy for ever.
	const ids = [fields.contextNodeId, fields.answerNodeId, ...(start.question ? [start.question.id] : [])];
	invariant(new Set(ids).size === ids.length, 'the nodes of a turn have ids of their own');
	invariant(!(await unit.database.nodes.get(fields.answerNodeId)), 'an answer has an id of its own');
	const context = await unit.append(threadId, {
		id: fields.contextNodeId,
		parentId: start.parentId,
		content: { type: 'turn_context', payload: { turnId, connectionId, model, permissionPolicy: 'inherit', activeSkills: [], locale } }
	});
	// A second child: the place is a fork now, and remembers what was chosen there last.
	if (context.segmentId === context.id && start.parentId !== null)
		unit.put('forkChoices', { threadId, parentId: start.parentId, childId: context.id });
	let leaf: TreeNode = context;
	if (start.question) {
		leaf = await unit.append(threadId, {
			id: start.question.id,
			parentId: context.id,
			content: { type: 'user_message', payload: { content: [{ type: 'text', text: start.question.text }] } }
		});
	}
	const thread = await unit.thread(threadId);
	invariant(thread, 'the thread was there a moment ago');
	const moved = { ...thread, leafId: leaf.id, updatedAt: unit.nowMs, stats: { ...thread.stats, turns: thread.stats.turns + 1 } };
	unit.putThread(moved);
	if (start.question && thread.titleSource === 'none') {
		const title = normaliseTitle(start.question.text.trimStart().split('\n', 1)[0] ?? '');
		if (title !== '') unit.setSynced({ ...moved, titleSource: 'first-line' }, { title });
	}
	const run: RunRow = {
		id: fields.runId,
		threadId,
		turnId,
		state: 'preparing',
		clientId: identity.clientId,
		submissionId: identity.submissionId,
		parentNodeId: leaf.id,
		anchorNodeId: start.anchorNodeId ?? leaf.id,
		answerNodeId: fields.answerNodeId,
		...(start.continuesNodeId === undefined ? {} : { continuesNodeId: start.continuesNodeId }),
		connectionId,
		model,
		locale,
		attempts: 0,
		createdAt: unit.nowMs,
		updatedAt: unit.nowMs
	};
	unit.add('runs', run);
}

/** The nearest visible ancestor, null when there is none: what a new version hangs under (E-26). Bounded by the tree's own depth. */
export async function logicalParent(unit: UnitOfWork, node: TreeNode): Promise<TreeNode | null> {
	const seen = new Set<NodeId>([node.id]);
	for (let parentId = node.parentId; parentId !== null && !seen.has(parentId);) {
		seen.add(parentId);
		const parent: TreeNode | undefined = await unit.database.nodes.get(parentId);
		if (!parent) return null;
		if (isVisible(parent)) return parent;
		parentId = parent.parentId;
	}
	return null;
}

/** The thread's node, living; null when there is none of that id. */
export async function findNode(unit: UnitOfWork, threadId: ThreadId, nodeId: NodeId): Promise<TreeNode | null> {
	const node = await unit.database.nodes.get(nodeId);
	return node && node.threadId === threadId && node.deleted !== true ? node : null;
}
