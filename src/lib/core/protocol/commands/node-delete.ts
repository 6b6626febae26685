import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/** Takes one message out of the conversation: a tombstone; what follows counts as the grandparent's (P-080..P-083). Answers the cursor. */
export const nodeDelete = defineCommand({
	type: 'node.delete',
	payload: z.object({ threadId: idSchema, nodeId: idSchema }),
	accepted: z.object({ leafId: z.nullable(idSchema) }),
	refusals: ['thread-not-found', 'node-not-found', 'thread-busy']
});
