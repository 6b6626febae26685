import * as z from 'zod/mini';
import { defineCommand, nothing } from '../command.ts';
import { connectionId } from '../connection-fields.ts';

/** Removes a connection with its key. Conversations keep what it said. */
export const connectionRemove = defineCommand({
	type: 'connection.remove',
	payload: z.object({ connectionId }),
	accepted: nothing,
	refusals: ['connection-not-found', 'connection-built-in']
});
