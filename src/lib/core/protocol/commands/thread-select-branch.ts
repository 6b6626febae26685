import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/**
 * Moves the cursor; nothing is written to the tree (C-34). Answers the new cursor, null for "before the first message".
 * `end`, and when nothing is said: shows the branch of `nodeId`, down to its deepest descendant; its forks remember the choice (P-079).
 * `at`: the node itself, so that the next message begins a branch beside what follows it.
 * `before`: the message before it, so that a new version of it can be written.
 */
export const threadSelectBranch = defineCommand({
	type: 'thread.selectBranch',
	payload: z.object({ threadId: idSchema, nodeId: idSchema, position: z.optional(z.enum(['end', 'at', 'before'])) }),
	accepted: z.object({ leafId: z.nullable(idSchema) }),
	refusals: ['thread-not-found', 'node-not-found', 'node-inside-tool-call']
});
