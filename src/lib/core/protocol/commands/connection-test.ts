import * as z from 'zod/mini';
import { defineCommand } from '../command.ts';
import { connectionFields, keyField } from '../connection-fields.ts';

export const modelFailureSchema = z.object({
	code: z.string(),
	status: z.optional(z.number()),
	retryAfterMs: z.optional(z.number()),
	detail: z.optional(z.string())
});

export const modelDescriptionSchema = z.object({
	id: z.string(),
	displayName: z.nullable(z.string()),
	contextWindow: z.nullable(z.number())
});

/** Tries a connection as it stands in the form: lists its models, then has one say a word. Changes nothing. */
export const connectionTest = defineCommand({
	type: 'connection.test',
	payload: z.object({ connection: connectionFields, key: keyField }),
	accepted: z.object({
		/** Null where the server has no list; a model can still be typed in. */
		models: z.nullable(z.array(modelDescriptionSchema)),
		listFailure: z.nullable(modelFailureSchema),
		/** The model that was asked for a word; null when there was none to ask. */
		askedModel: z.nullable(z.string()),
		answerFailure: z.nullable(modelFailureSchema),
		firstWordMs: z.nullable(z.number())
	}),
	durable: false,
	secretFields: ['key']
});
