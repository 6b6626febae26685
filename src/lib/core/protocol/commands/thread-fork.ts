import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/**
 * Makes a new thread of a branch (C-02, P-033): the path to `nodeId` with its labels, summaries and attachment references, each
 * copy naming its original; with `scope` `below` also everything under it. `title`: the new thread's. Runs, queue and approvals are never copied.
 */
export const threadFork = defineCommand({
	type: 'thread.fork',
	payload: z.object({ threadId: idSchema, nodeId: idSchema, newThreadId: idSchema, scope: z.enum(['path', 'below']), title: z.string() }),
	accepted: z.object({ leafId: idSchema, count: z.int() }),
	refusals: ['thread-not-found', 'thread-exists', 'node-not-found', 'node-inside-tool-call']
});
