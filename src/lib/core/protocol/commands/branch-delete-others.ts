import * as z from 'zod/mini';
import { defineCommand, idSchema, stampSchema } from '../command.ts';

/**
 * Takes every branch out but the one that leads through the cursor, as tombstones of one deletion (I-14). The path to `leafId`
 * and what follows it stay. Refused when the cursor has moved since the person saw the count.
 */
export const branchDeleteOthers = defineCommand({
	type: 'branch.deleteOthers',
	payload: z.object({ threadId: idSchema, leafId: idSchema }),
	accepted: z.object({ count: z.int(), deletion: z.nullable(stampSchema) }),
	refusals: ['thread-not-found', 'cursor-moved', 'thread-busy']
});
