// What the engine tells the tabs while it works. Facts reach the screen by live queries; these are progress and trouble only.
import type { NodeId, RunId, ThreadId } from '../domain/ids.ts';

export type EngineEvent =
	/**
	 * More of an answer. `at`: where it goes in the answer's text so far, in UTF-16 units; a tab that is not exactly there
	 * asks for the whole (`watch`).
	 */
	| {
			readonly type: 'text.delta';
			readonly threadId: ThreadId;
			readonly runId: RunId;
			readonly nodeId: NodeId;
			readonly at: number;
			readonly text: string;
	  }
	| {
			readonly type: 'reasoning.delta';
			readonly threadId: ThreadId;
			readonly runId: RunId;
			readonly nodeId: NodeId;
			readonly at: number;
			readonly text: string;
	  }
	/** The whole answer so far, for a tab that came later. */
	| {
			readonly type: 'text.snapshot';
			readonly threadId: ThreadId;
			readonly runId: RunId;
			readonly nodeId: NodeId;
			readonly text: string;
			readonly reasoning: string;
	  }
	/** The run is over and its outcome durable. */
	| { readonly type: 'run.ended'; readonly threadId: ThreadId; readonly runId: RunId; readonly nodeId: NodeId }
	| {
			readonly type: 'import.progress';
			readonly importId: string;
			readonly bytesRead: number;
			readonly totalBytes: number;
			readonly conversations: number;
	  }
	| { readonly type: 'engine.state'; readonly state: EngineState };

export type EngineState =
	| { readonly kind: 'starting' }
	| { readonly kind: 'leading'; readonly epoch: number }
	/** Another tab's worker leads; this one forwards. */
	| { readonly kind: 'following' }
	/** `code`: one that begins with `storage-`, or `engine-outdated`, `engine-crashed`, `engine-failed`. */
	| { readonly kind: 'failed'; readonly code: string; readonly detail?: string };
