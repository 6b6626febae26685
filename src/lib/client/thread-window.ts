// How much of a thread is read: enough for a screen first, more where the reader goes, and never more than is good for a page.
import type { ThreadId } from '#lib/core/domain/ids.ts';
import { readThreadView, type ThreadView, type WindowRequest } from '#lib/storage/queries/thread-view.ts';
import type { Session } from './session.ts';

/** Nodes read for the first screen; then, added at an end, and kept at most; one to three nodes make a message. */
const screenNodes = 12;
export const firstNodes = 36;
export const moreNodes = 60;
export const maxNodes = 360;

export const firstWindow: WindowRequest = { pointId: null, endId: null, limit: screenNodes };

/** What a thread shows first: the end of the branch in view. Null when there is no such thread. */
export function readFirstView(session: Pick<Session, 'read'>, threadId: ThreadId): Promise<ThreadView | null> {
	return session.read((database) => readThreadView(database, threadId, firstWindow));
}

/** The window that also holds what stands above `view`, which `window` asked for; at the limit, the other end is let go of. */
export function windowAbove(view: Pick<ThreadView, 'nodes'>, window: WindowRequest): WindowRequest {
	const limit = window.limit < firstNodes ? firstNodes : window.limit + moreNodes;
	const end = limit > maxNodes ? view.nodes.at(-1 - moreNodes) : undefined;
	return end ? { ...window, endId: end.id, limit: maxNodes } : { ...window, limit: Math.min(limit, maxNodes) };
}
