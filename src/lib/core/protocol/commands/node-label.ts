import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';

/** Longest label in UTF-16 units. */
const maxLabelLength = 80;

/** Names a message, anew or for the first time; an empty label takes the name away (T-016, E-55). `labelNodeId`: the new label's own id. Never moves the cursor. */
export const nodeLabel = defineCommand({
	type: 'node.label',
	payload: z.object({
		threadId: idSchema,
		labelNodeId: idSchema,
		targetId: idSchema,
		label: z.string().check(z.trim(), z.maxLength(maxLabelLength))
	}),
	accepted: nothing,
	refusals: ['thread-not-found', 'node-not-found']
});
