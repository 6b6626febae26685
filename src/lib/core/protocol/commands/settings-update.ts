import * as z from 'zod/mini';
import { defineCommand, nothing } from '../command.ts';
import { connectionId } from '../connection-fields.ts';

/** Which connection and model new questions go to. */
export const settingsUpdate = defineCommand({
	type: 'settings.update',
	payload: z.object({ defaultConnectionId: connectionId, defaultModel: z.string().check(z.maxLength(200)) }),
	accepted: nothing
});
