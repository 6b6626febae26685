import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/**
 * Checks the whole tree of a thread (P-092 to P-095, I-01): a cursor that reaches no root goes to the newest leaf that does,
 * a counter that fell behind is raised, and a notice in the conversation says what was found. A sound tree is left as it is.
 */
export const threadRepair = defineCommand({
	type: 'thread.repair',
	payload: z.object({ threadId: idSchema }),
	accepted: z.object({ isRepaired: z.boolean() }),
	refusals: ['thread-not-found', 'thread-busy']
});
