import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';
import { turnFields, turnRefusals } from '../turn-fields.ts';

/** Goes on with an answer that was cut off; the new part is a child of the old one and shown as one message with it. */
export const turnResume = defineCommand({
	type: 'turn.resume',
	payload: z.object({ ...turnFields, nodeId: idSchema }),
	accepted: nothing,
	refusals: [...turnRefusals, 'node-not-found', 'answer-not-cut-off']
});
