import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';

/** Undoes node.delete: the message stands where it stood, and the cursor goes back to `leafId` when that is given. */
export const nodeRestore = defineCommand({
	type: 'node.restore',
	payload: z.object({ threadId: idSchema, nodeId: idSchema, leafId: z.optional(idSchema) }),
	accepted: nothing,
	refusals: ['thread-not-found', 'node-not-found', 'thread-busy']
});
