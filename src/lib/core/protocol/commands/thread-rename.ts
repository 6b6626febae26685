import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

/** Gives a thread the person's own title: trimmed, 1 to 80 code points; never overwritten afterwards, and it does not reorder the list (C-25, C-26). */
export const threadRename = defineCommand({
	type: 'thread.rename',
	payload: z.object({ threadId: idSchema, title: z.string().check(z.maxLength(1000)) }),
	accepted: z.object({ title: z.string() }),
	refusals: ['thread-not-found', 'title-empty']
});
