import * as z from 'zod/mini';
import { defineCommand } from '../command.ts';

/** Looks for model servers on this machine. Only when the person asked: browsers may ask for their leave. */
export const connectionFindLocal = defineCommand({
	type: 'connection.findLocal',
	payload: z.object({}),
	accepted: z.object({
		servers: z.array(
			z.object({
				name: z.string(),
				baseUrl: z.string(),
				models: z.array(z.string()),
				state: z.enum(['ready', 'refuses-browsers'])
			})
		)
	}),
	durable: false
});
