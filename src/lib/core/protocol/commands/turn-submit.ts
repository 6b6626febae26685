import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';
import { messageText, turnFields, turnRefusals } from '../turn-fields.ts';

/**
 * Appends a question at the thread's leaf and starts a run that answers it. Accepted once the question, its turn context
 * and the run are durable (D-249, D-264). `createsThread`: the question is the first of a thread that is made with it.
 */
export const turnSubmit = defineCommand({
	type: 'turn.submit',
	payload: z.object({ ...turnFields, messageNodeId: idSchema, text: messageText, createsThread: z.optional(z.literal(true)) }),
	accepted: nothing,
	refusals: [...turnRefusals, 'thread-exists']
});
