import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';

/** Makes an empty thread under an id that the tab chose. */
export const threadCreate = defineCommand({
	type: 'thread.create',
	payload: z.object({ threadId: idSchema }),
	accepted: nothing,
	refusals: ['thread-exists']
});
