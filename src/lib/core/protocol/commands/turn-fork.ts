import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';
import { messageText, turnFields, turnRefusals } from '../turn-fields.ts';

/**
 * Begins a new branch beside an old one; nothing is lost (P-076, P-077).
 * `edit`: `nodeId` is a question; a new version of it is appended beside it and answered.
 * `regenerate`: `nodeId` is an answer, or a question whose answer failed; the question is answered once more.
 */
export const turnFork = defineCommand({
	type: 'turn.fork',
	payload: z.discriminatedUnion('kind', [
		z.object({ ...turnFields, kind: z.literal('edit'), nodeId: idSchema, messageNodeId: idSchema, text: messageText }),
		z.object({ ...turnFields, kind: z.literal('regenerate'), nodeId: idSchema })
	]),
	accepted: nothing,
	refusals: [...turnRefusals, 'node-not-found', 'node-not-a-question', 'node-not-an-answer']
});
