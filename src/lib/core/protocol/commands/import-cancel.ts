import * as z from 'zod/mini';
import { defineCommand, idSchema, nothing } from '../command.ts';

/** Stops an import after the conversation at hand; what has been brought in stays. */
export const importCancel = defineCommand({
	type: 'import.cancel',
	payload: z.object({ importId: idSchema }),
	accepted: nothing,
	durable: false
});
