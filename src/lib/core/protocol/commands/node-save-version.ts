import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';
import { messageText } from '../turn-fields.ts';

/**
 * Keeps a new version of a question beside it without asking a model: a branch to come back to (I-16). The cursor goes to it;
 * `turn.fork` with `regenerate` has it answered.
 */
export const nodeSaveVersion = defineCommand({
	type: 'node.saveVersion',
	payload: z.object({ threadId: idSchema, nodeId: idSchema, messageNodeId: idSchema, text: messageText }),
	accepted: nothing,
	refusals: ['thread-not-found', 'thread-busy', 'node-not-found', 'node-not-a-question']
});
