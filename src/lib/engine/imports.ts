// Brings the conversations of a file in, one transaction each, and can be broken off between two. ENGINE WORKER. SPEC.md IMP-01 to IMP-06.
import type { ImportedNode, ImportedThread, ImportFinding } from '#lib/core/formats/imported.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import { withNewIds } from '#lib/core/domain/references.ts';
import { newThread, normaliseTitle } from '#lib/core/domain/threads.ts';
import type { AcceptedOf, Receipt } from '#lib/core/protocol/commands.ts';
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import { invariant } from '#lib/core/std/invariant.ts';
import { err, ok } from '#lib/core/std/result.ts';
import { newId } from '#lib/platform/ids.ts';
import { appendTables, writeTransaction, type UnitOfWork, type WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import { ImportError, readImportFile } from './import-files/read-import-file.ts';

export interface Imports {
	run(importId: string, file: File): Promise<Receipt<'import.file'>>;
	/** No effect when no such import runs. */
	cancel(importId: string): void;
}

type Summary = AcceptedOf<'import.file'>;

export function createImports(deps: WriteDeps & { readonly emit: (event: EngineEvent) => void }): Imports {
	const running = new Map<string, AbortController>();

	async function bringIn(importId: string, file: File, signal: AbortSignal): Promise<Summary> {
		const threadIds: ThreadId[] = [];
		const findings: ImportFinding[] = [];
		let alreadyHere = 0;
		let leftOut = 0;
		let messages = 0;
		const outcomes = readImportFile(file, {
			signal,
			onProgress: (progress) => deps.emit({ type: 'import.progress', importId, ...progress })
		});
		for await (const outcome of outcomes) {
			findings.push(...outcome.findings);
			if (outcome.thread === null) leftOut++;
			else {
				const threadId = await bringInThread(deps, outcome.thread);
				if (threadId === null) alreadyHere++;
				else {
					threadIds.push(threadId);
					messages += outcome.thread.nodes.filter(isMessage).length;
				}
			}
			if (signal.aborted) break;
		}
		return { threadIds, alreadyHere, leftOut, messages, cancelled: signal.aborted, findings: mergeFindings(findings) };
	}

	return {
		async run(importId, file) {
			const controller = new AbortController();
			running.set(importId, controller);
			try {
				return ok(await bringIn(importId, file, controller.signal));
			} catch (error) {
				if (error instanceof ImportError) return err({ code: error.code, ...(error.detail === undefined ? {} : { detail: error.detail }) });
				throw error;
			} finally {
				running.delete(importId);
			}
		},
		cancel(importId) {
			running.get(importId)?.abort();
		}
	};
}

function isMessage({ content }: ImportedNode): boolean {
	return content.type === 'user_message' || content.type === 'assistant_message';
}

/** One line a kind: how often, and where it was first. */
function mergeFindings(findings: readonly ImportFinding[]): Summary['findings'] {
	const byCode = new Map<string, Summary['findings'][number]>();
	for (const { code, count, where } of findings) {
		const earlier = byCode.get(code);
		byCode.set(code, earlier ? { ...earlier, count: earlier.count + count } : { code, count, ...(where === undefined ? {} : { where }) });
	}
	return [...byCode.values()];
}

/** The new thread's id; null when this conversation is here already. */
async function bringInThread(deps: WriteDeps, imported: ImportedThread): Promise<ThreadId | null> {
	return writeTransaction(deps, [...appendTables, 'forkChoices', 'importOrigins'], async (unit) => {
		const { importOrigins } = unit.database;
		if (await importOrigins.get([imported.source, imported.externalId])) return null;
		const threadId = newId();
		const idsByExternalId = new Map<string, NodeId>(imported.nodes.map((node) => [node.externalId, newId()]));
		const idOf = (externalId: string): NodeId => {
			const id = idsByExternalId.get(externalId);
			invariant(id !== undefined, 'an import refers to its own nodes only');
			return id;
		};
		const times = imported.nodes.map((node) => node.ts).filter((ts) => ts !== null);
		const createdAt = imported.createdAt ?? times[0] ?? unit.nowMs;
		unit.putThread(
			newThread(threadId, createdAt, {
				title: normaliseTitle(imported.title),
				titleSource: imported.title.trim() === '' ? 'none' : 'import',
				updatedAt: imported.updatedAt ?? times.at(-1) ?? createdAt,
				leafId: imported.leafExternalId === null ? null : idOf(imported.leafExternalId),
				pinned: imported.pinned ? 1 : 0,
				archived: imported.archived ? 1 : 0,
				stats: { turns: imported.nodes.filter((node) => node.content.type === 'user_message').length, totalTokens: 0, costUsd: 0 },
				source: imported.source
			})
		);
		await unit.appendAll(
			threadId,
			imported.nodes.map((node) => ({
				id: idOf(node.externalId),
				parentId: node.parentExternalId === null ? null : idOf(node.parentExternalId),
				content: withNewIds(node.content, (externalId) => idsByExternalId.get(externalId)),
				ts: node.ts ?? createdAt,
				externalId: `${imported.externalId}:${node.externalId}`
			}))
		);
		await rememberBranchInView(unit, threadId, imported, idOf);
		await importOrigins.add({ sourceId: imported.source, externalId: imported.externalId, threadId, importedAt: unit.nowMs });
		return threadId;
	});
}

/** Each fork on the way to the leaf remembers the child that was in view. */
async function rememberBranchInView(
	unit: UnitOfWork,
	threadId: ThreadId,
	imported: ImportedThread,
	idOf: (externalId: string) => NodeId
): Promise<void> {
	const nodesByExternalId = new Map(imported.nodes.map((node) => [node.externalId, node]));
	const childCounts = new Map<string, number>();
	for (const { parentExternalId } of imported.nodes)
		if (parentExternalId !== null) childCounts.set(parentExternalId, (childCounts.get(parentExternalId) ?? 0) + 1);
	for (let at = imported.leafExternalId; at !== null;) {
		const node = nodesByExternalId.get(at);
		const parent = node?.parentExternalId ?? null;
		if (parent !== null && (childCounts.get(parent) ?? 0) > 1)
			await unit.database.forkChoices.put({ threadId, parentId: idOf(parent), childId: idOf(at) });
		at = parent;
	}
}
