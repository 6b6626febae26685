import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/**
 * Copies the stretch of one branch from `fromId` down to `toId` under another message of the same thread, tool calls with
 * their results, each copy naming its original; the cursor goes to the end of the copy. Nothing is moved. Answers the cursor, the
 * topmost copy, whose branch is the whole of it, and how many messages were copied.
 */
export const nodeGraft = defineCommand({
	type: 'node.graft',
	payload: z.object({ threadId: idSchema, fromId: idSchema, toId: idSchema, targetId: idSchema }),
	accepted: z.object({ leafId: idSchema, firstId: idSchema, count: z.int() }),
	refusals: ['thread-not-found', 'node-not-found', 'not-one-branch', 'node-inside-tool-call', 'thread-busy']
});
