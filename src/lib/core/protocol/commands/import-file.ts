import * as z from 'zod/mini';
import { defineCommand, idSchema } from '../command.ts';

const finding = z.object({ code: z.string(), count: z.number(), where: z.optional(z.string()) });

/**
 * Brings the conversations of another tool's export in, one transaction a conversation. What is here already, by its
 * external id, is left alone. Progress comes as `import.progress` events; `import.cancel` stops it between conversations.
 */
export const importFile = defineCommand({
	type: 'import.file',
	payload: z.object({ importId: idSchema, file: z.custom<File>((value) => value instanceof Blob, 'a file') }),
	accepted: z.object({
		threadIds: z.array(idSchema),
		alreadyHere: z.number(),
		leftOut: z.number(),
		messages: z.number(),
		cancelled: z.boolean(),
		findings: z.array(finding)
	}),
	refusals: [
		'import-not-a-known-format',
		'import-format-not-supported-yet',
		'import-zip-damaged',
		'import-encrypted',
		'import-empty',
		'import-too-large',
		'import-unreadable'
	]
});
