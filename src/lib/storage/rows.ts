// The rows of the tables that are in use, where they are not things of the domain themselves.
import type { ClientId, ConnectionId, DeviceId, NodeId, RunId, Stamp, SubmissionId, ThreadId, TurnId } from '#lib/core/domain/ids.ts';
import type { Usage } from '#lib/core/domain/nodes.ts';
import type { Refusal } from '#lib/core/protocol/commands.ts';
import type { JsonValue } from '#lib/core/std/json.ts';
import type { Result } from '#lib/core/std/result.ts';

/** The one row of this device: its id, the last stamp it gave, and the epoch that fences out a leader that lost its lock. */
export interface DeviceRow {
	readonly key: 'self';
	readonly deviceId: DeviceId;
	readonly lastStamp: Stamp | null;
	/** Raised by each new leader; a write transaction of an older epoch is refused. */
	readonly epoch: number;
}

/** `id` is client id + NUL + submission id. A finished receipt never changes (P-071). */
export interface ReceiptRow {
	readonly id: string;
	readonly clientId: ClientId;
	readonly submissionId: SubmissionId;
	readonly commandType: string;
	readonly status: 'acknowledged' | 'rejected';
	readonly response: Result<unknown, Refusal>;
	readonly requestFingerprint: string;
	readonly createdAt: number;
	readonly expiresAt: number;
}

/** States of E-10 that this version knows; `failed`, `completed` and `stopped` are final, `interrupted` offers to resume. */
export type RunState = 'preparing' | 'streaming_model' | 'interrupted' | 'stopped' | 'failed' | 'completed';

/** States in which a run works; a thread has at most one such run. */
export const activeRunStates: readonly RunState[] = ['preparing', 'streaming_model'];

export interface RunRow {
	readonly id: RunId;
	readonly threadId: ThreadId;
	readonly turnId: TurnId;
	readonly state: RunState;
	readonly clientId: ClientId;
	readonly submissionId: SubmissionId;
	/** The node that the answer hangs under: the end of the context. */
	readonly parentNodeId: NodeId;
	/** The node that a person sees the run at: the question, or the cut answer that goes on. */
	readonly anchorNodeId: NodeId;
	readonly answerNodeId: NodeId;
	/** Set when the run goes on with this cut answer. */
	readonly continuesNodeId?: NodeId;
	readonly connectionId: ConnectionId;
	readonly model: string;
	readonly locale: string;
	/** How many leaders have begun it. */
	readonly attempts: number;
	readonly usage?: Usage;
	readonly errorCode?: string;
	/** What the message of the error code may tell: status, retryAfterMs, detail. */
	readonly errorData?: JsonValue;
	readonly createdAt: number;
	readonly updatedAt: number;
	readonly endedAt?: number;
}

/** What has arrived of a running answer; written at most every 1.5 s, gone once the answer is a node (D-042..D-049). */
export interface InflightRow {
	readonly threadId: ThreadId;
	readonly runId: RunId;
	readonly turnId: TurnId;
	readonly nodeId: NodeId;
	readonly savedAt: number;
	readonly text: string;
	readonly reasoning: string;
}

export interface ForkChoiceRow {
	readonly threadId: ThreadId;
	/** The physical node whose children are the choice. */
	readonly parentId: NodeId;
	readonly childId: NodeId;
}

/** A change of a table that the feed does not observe: a reference, never the content. */
export interface OutboxRow {
	readonly position?: number;
	readonly table: 'nodes';
	readonly key: string;
	readonly threadId: ThreadId;
	readonly change: 'deleted' | 'restored';
	readonly ord: Stamp;
}

export interface KvRow {
	readonly ns: 'app' | 'ui' | 'cache';
	readonly key: string;
	readonly value: JsonValue;
	readonly updatedAt: number;
	readonly stamp?: Stamp;
}

export interface SecretMetaRow {
	readonly id: string;
	readonly ownerKind: 'connection';
	readonly ownerId: string;
	/** The only origin that the secret may be sent to. */
	readonly origin: string;
	readonly updatedAt: number;
}

/** Either the wrapping key, which cannot be exported, or one ciphertext under it. */
export type SecretRow =
	| { readonly id: 'wrapping-key'; readonly key: CryptoKey }
	| { readonly id: string; readonly iv: Uint8Array<ArrayBuffer>; readonly ciphertext: ArrayBuffer };

export interface ImportOriginRow {
	readonly sourceId: string;
	readonly externalId: string;
	readonly threadId: ThreadId;
	readonly importedAt: number;
}
