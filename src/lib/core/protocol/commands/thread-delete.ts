import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';

/** Deletes a thread and everything that belongs to it in one transaction; the receipt stays (P-084..P-090). A run of it is stopped first. */
export const threadDelete = defineCommand({
	type: 'thread.delete',
	payload: z.object({ threadId: idSchema }),
	accepted: nothing,
	refusals: ['thread-not-found']
});
