import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/** Stops a run; what has arrived of the answer is kept, marked as stopped. Accepted once that is durable. `stopped: false`: it had ended before. */
export const turnInterrupt = defineCommand({
	type: 'turn.interrupt',
	payload: z.object({ threadId: idSchema, runId: idSchema }),
	accepted: z.object({ stopped: z.boolean() }),
	refusals: ['run-not-found']
});
