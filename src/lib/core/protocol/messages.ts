// The envelopes between a tab and its worker, and between the workers of several tabs.
import type { ClientId, SubmissionId, ThreadId } from '../domain/ids.ts';
import type { Result } from '../std/result.ts';
import type { Refusal } from './commands.ts';
import type { EngineEvent } from './events.ts';

/**
 * Raised whenever a command, an event or an envelope changes its shape; the lock test holds it. A tab and a worker of
 * different versions do not talk: the tab is asked to reload (E-05).
 */
export const PROTOCOL_VERSION = 4;

export interface CommandEnvelope {
	readonly kind: 'command';
	readonly version: number;
	readonly clientId: ClientId;
	readonly submissionId: SubmissionId;
	readonly type: string;
	readonly payload: unknown;
}

export interface ReceiptEnvelope {
	readonly kind: 'receipt';
	readonly clientId: ClientId;
	readonly submissionId: SubmissionId;
	readonly result: Result<unknown, Refusal>;
}

/** From a tab to its worker. */
export type TabMessage =
	/** `lifeLock`: a Web Lock that the worker holds for as long as it lives. */
	| { readonly kind: 'start'; readonly version: number; readonly databaseName: string; readonly lifeLock: string }
	| CommandEnvelope
	/** Asks for a `text.snapshot` of what runs in the thread. */
	| { readonly kind: 'watch'; readonly threadId: ThreadId };

/** From a worker to its tab. */
export type WorkerMessage =
	| ReceiptEnvelope
	/** The worker holds its life lock from now on. */
	| { readonly kind: 'living' }
	| { readonly kind: 'event'; readonly event: EngineEvent };

/** Between workers, over one BroadcastChannel. */
export type PeerMessage =
	| CommandEnvelope
	| ReceiptEnvelope
	| { readonly kind: 'watch'; readonly threadId: ThreadId }
	| { readonly kind: 'event'; readonly event: EngineEvent }
	/** A new leader is ready: followers send again what has no receipt yet. */
	| { readonly kind: 'leader'; readonly version: number; readonly epoch: number }
	/** Is the leader alive? */
	| { readonly kind: 'call' }
	| { readonly kind: 'alive'; readonly epoch: number };
