import * as z from 'zod/mini';
import { defineCommand, idSchema, stampSchema } from '../command.ts';

/**
 * Takes a message and everything under it out of the conversation, as tombstones of one deletion (I-14, I-15). A cursor inside
 * moves to another version, else up. Answers the cursor, how many messages went, and the deletion's name for `branch.restore`.
 */
export const branchDelete = defineCommand({
	type: 'branch.delete',
	payload: z.object({ threadId: idSchema, nodeId: idSchema }),
	accepted: z.object({ leafId: z.nullable(idSchema), count: z.int(), deletion: stampSchema }),
	refusals: ['thread-not-found', 'node-not-found', 'thread-busy']
});
