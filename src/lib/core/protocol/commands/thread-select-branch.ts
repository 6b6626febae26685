import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/** Shows the branch of `nodeId`: the cursor goes to its deepest descendant, and the fork remembers the choice (P-079). Answers the new leaf. */
export const threadSelectBranch = defineCommand({
	type: 'thread.selectBranch',
	payload: z.object({ threadId: idSchema, nodeId: idSchema }),
	accepted: z.object({ leafId: idSchema }),
	refusals: ['thread-not-found', 'node-not-found']
});
