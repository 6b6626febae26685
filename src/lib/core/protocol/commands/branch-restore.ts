import * as z from 'zod/mini';
import { defineCommand, idSchema, stampSchema } from '../command.ts';

/** Undoes one deletion of this thread: all its messages stand where they stood; the cursor goes to `leafId` when that is given. Answers how many came back. */
export const branchRestore = defineCommand({
	type: 'branch.restore',
	payload: z.object({ threadId: idSchema, deletion: stampSchema, leafId: z.optional(idSchema) }),
	accepted: z.object({ count: z.int() }),
	refusals: ['thread-not-found', 'deletion-not-found', 'thread-busy']
});
