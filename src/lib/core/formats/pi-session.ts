// A session file of pi (JSONL v1, v2 and v3) as a thread. Pure; never throws on any text. Keeps FMT-30 to FMT-41.
// The file is append-only: a parent is looked for among the lines before its child, so no chain can close on itself.
import { isVisible } from '../domain/nodes.ts';
import { isJsonObject, type JsonObject } from '../std/json.ts';
import { createFindings } from './findings.ts';
import { isoToTimestamp, numberField, objectField, parseJson, stringField, toTimestamp } from './foreign-json.ts';
import type { ImportedNode, ImportOutcome } from './imported.ts';
import { createPiCalls } from './pi-calls.ts';
import { piEntryToContents, type PiReferences } from './pi-content.ts';

const entryTypes = new Set(
	'message model_change thinking_level_change active_tools_change compaction branch_summary custom custom_message label session_info leaf'.split(
		' '
	)
);

/** True for a header or an entry that only pi writes. */
export function isPiLine(value: JsonObject): boolean {
	const type = stringField(value, 'type') ?? '';
	if (type === 'session')
		return typeof value['id'] === 'string' && (typeof value['cwd'] === 'string' || typeof value['version'] === 'number');
	if (!entryTypes.has(type) || 'uuid' in value || value['timestamp'] === undefined) return false;
	return 'parentId' in value || (type === 'message' && stringField(objectField(value, 'message'), 'role') !== null);
}

/** Takes a session line by line, then gives the thread once. */
export interface PiSessionReader {
	/** One line without its end; blank lines count for line numbers only. */
	push(line: string): void;
	finish(): ImportOutcome;
}

/** `thread` is null, with `conversation-without-messages`, when no line holds anything that can be seen. */
export function piSessionToThread(lines: Iterable<string>): ImportOutcome {
	const reader = createPiSessionReader();
	for (const line of lines) reader.push(line);
	return reader.finish();
}

interface Line {
	readonly number: number;
	readonly entry: JsonObject;
}

export function createPiSessionReader(): PiSessionReader {
	const findings = createFindings();
	const entries: Line[] = [];
	let header: JsonObject | null = null;
	let lineNumber = 0;
	/** A bad line is a torn one only if no other follows. */
	let badLine: { number: number; code: 'json-invalid' | 'json-too-deep' } | null = null;

	function reportBadLine(isLast: boolean): void {
		if (badLine === null) return;
		const code = badLine.code === 'json-too-deep' ? 'too-deep' : isLast ? 'torn-last-line' : 'line-unreadable';
		findings.add(code, `line ${badLine.number}`);
		badLine = null;
	}

	return {
		push(line) {
			lineNumber++;
			const text = (lineNumber === 1 ? line.replace(/^\uFEFF/, '') : line).trim();
			if (text === '') return;
			reportBadLine(false);
			const parsed = parseJson(text);
			if (!parsed.ok) badLine = { number: lineNumber, code: parsed.error.code };
			else if (!isJsonObject(parsed.value)) findings.add('line-unreadable', `line ${lineNumber}`);
			else if (header === null && parsed.value['type'] === 'session') header = parsed.value;
			else entries.push({ number: lineNumber, entry: parsed.value });
		},
		finish() {
			reportBadLine(true);
			return entriesToThread(header, entries, findings);
		}
	};
}

function entriesToThread(header: JsonObject | null, lines: readonly Line[], findings: ReturnType<typeof createFindings>): ImportOutcome {
	const nodes: ImportedNode[] = [];
	const nodesById = new Map<string, { readonly parentId: string | null; readonly seenId: string | null }>();
	/** Of each entry id, the newest one before the line being read. */
	const placesByEntryId = new Map<string, { entry: JsonObject; firstId: string | null; lastId: string | null }>();
	const calls = createPiCalls();
	const takenIds = new Set(lines.flatMap((line) => stringField(line.entry, 'id') ?? []));
	const nextCounts = new Map<string, number>();
	/** v1 counts the header among the entries that a compaction points at. */
	const entryIdByIndex: (string | null)[] = header === null ? [] : [null];
	let lastId: string | null = null;
	let leafId: string | null = null;
	let title = '';
	let updatedAt: number | null = null;

	function freshId(wanted: string): string {
		let id = wanted;
		for (let count = nextCounts.get(wanted) ?? 2; takenIds.has(id); count++) {
			id = `${wanted}~${count}`;
			nextCounts.set(wanted, count + 1);
		}
		takenIds.add(id);
		return id;
	}

	function findParent(entry: JsonObject, lineNumber: number): string | null {
		const parent = entry['parentId'];
		if (parent === null) return null;
		if (parent === undefined) return lastId;
		const place = typeof parent === 'string' ? placesByEntryId.get(parent) : undefined;
		if (place !== undefined) return place.lastId;
		findings.add('missing-parent', `line ${lineNumber}`);
		return lastId;
	}

	for (const { number, entry: raw } of lines) {
		const statedId = stringField(raw, 'id');
		const twin = statedId === null ? undefined : placesByEntryId.get(statedId);
		if (twin !== undefined) {
			findings.add('duplicate-id', `line ${number}`);
			if (JSON.stringify(twin.entry) === JSON.stringify(raw)) continue;
		}
		const entryId = statedId !== null && twin === undefined ? statedId : freshId(statedId ?? `line-${number}`);
		const entry = withFirstKeptId(raw, entryIdByIndex);
		entryIdByIndex.push(entryId);
		const parentId = findParent(raw, number);

		if (raw['type'] === 'leaf') {
			const target = raw['targetId'];
			const targetNode = typeof target === 'string' ? placesByEntryId.get(target)?.lastId : null;
			if (targetNode === undefined) findings.add('current-node-missing', `line ${number}`);
			leafId = targetNode ?? leafId;
			// A leaf is no node: what hangs on it hangs on its target.
			if (statedId !== null) placesByEntryId.set(statedId, { entry: raw, firstId: targetNode ?? null, lastId: targetNode ?? parentId });
			continue;
		}

		const callNodeIds: string[] = [];
		const references: PiReferences = {
			nodeOf: (id) => placesByEntryId.get(id)?.firstId ?? null,
			openCall(callId, index) {
				const nodeId = freshId(`${entryId}#call${index}`);
				callNodeIds.push(nodeId);
				return calls.open(callId, nodeId);
			},
			answeredCall: (callId) => calls.answered(callId, parentId, (id) => nodesById.get(id)?.parentId ?? null)
		};
		const contents = piEntryToContents(entry, references, findings);
		const ts = isoToTimestamp(stringField(raw, 'timestamp')) ?? toTimestamp(numberField(objectField(raw, 'message'), 'timestamp'));
		let tailId = parentId;
		for (const [index, content] of contents.entries()) {
			const externalId: string = index === 0 ? entryId : (callNodeIds[index - 1] ?? freshId(`${entryId}#${index}`));
			// A label hangs under what it names, where its message finds it; what pi hung under the label goes on from above it.
			const parentExternalId = content.type === 'label' ? content.payload.targetId : tailId;
			nodes.push({ externalId, parentExternalId, ts, content });
			const seenAbove: string | null = tailId === null ? null : (nodesById.get(tailId)?.seenId ?? null);
			nodesById.set(externalId, { parentId: parentExternalId, seenId: isVisible(content) ? externalId : seenAbove });
			if (isVisible(content)) leafId = externalId;
			if (content.type === 'session_info') title = content.payload.name;
			if (content.type !== 'label') tailId = externalId;
		}
		lastId = tailId;
		updatedAt = ts ?? updatedAt;
		placesByEntryId.set(statedId ?? entryId, { entry: raw, firstId: entryId, lastId: tailId });
	}

	const newestSeen = nodes.findLast((node) => isVisible(node.content));
	if (newestSeen === undefined) {
		findings.add('conversation-without-messages', header === null ? undefined : (stringField(header, 'id') ?? undefined));
		return { thread: null, findings: findings.list() };
	}
	const sessionId = header === null ? null : stringField(header, 'id');
	return {
		thread: {
			externalId: `pi:${sessionId || `entry:${nodes[0]?.externalId ?? ''}`}`,
			source: 'pi',
			title,
			createdAt: header === null ? null : isoToTimestamp(stringField(header, 'timestamp')),
			updatedAt,
			archived: false,
			pinned: false,
			leafExternalId: (leafId === null ? null : nodesById.get(leafId)?.seenId) ?? newestSeen.externalId,
			nodes
		},
		findings: findings.list()
	};
}

/** A v1 compaction with the id of the entry that its index means. */
function withFirstKeptId(entry: JsonObject, entryIdByIndex: readonly (string | null)[]): JsonObject {
	const index = numberField(entry, 'firstKeptEntryIndex');
	if (index === null || stringField(entry, 'firstKeptEntryId') !== null) return entry;
	const firstKeptEntryId = entryIdByIndex[index];
	return firstKeptEntryId === undefined || firstKeptEntryId === null ? entry : { ...entry, firstKeptEntryId };
}
