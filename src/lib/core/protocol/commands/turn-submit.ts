import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';
import { messageText, turnFields, turnRefusals } from '../turn-fields.ts';

/**
 * Appends a question at the thread's leaf and starts a run that answers it. Accepted once the question, its turn context
 * and the run are durable (D-249, D-264).
 */
export const turnSubmit = defineCommand({
	type: 'turn.submit',
	payload: z.object({ ...turnFields, messageNodeId: idSchema, text: messageText }),
	accepted: nothing,
	refusals: turnRefusals
});
