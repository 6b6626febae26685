import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';

/** Pins, archives, tags or files a thread; fields that are left out stay as they are. */
export const threadUpdate = defineCommand({
	type: 'thread.update',
	payload: z.object({
		threadId: idSchema,
		pinned: z.optional(z.boolean()),
		archived: z.optional(z.boolean()),
		tags: z.optional(z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.maxLength(50))),
		folderId: z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(60))))
	}),
	accepted: nothing,
	refusals: ['thread-not-found']
});
