import * as z from 'zod/mini';
import { defineCommand } from '../command.ts';
import { connectionFields, keyField } from '../connection-fields.ts';

const failure = z.object({
	code: z.string(),
	status: z.optional(z.number()),
	retryAfterMs: z.optional(z.number()),
	detail: z.optional(z.string())
});

const model = z.object({ id: z.string(), displayName: z.nullable(z.string()), contextWindow: z.nullable(z.number()) });

/**
 * Tries a connection as it stands in the form: lists its models, then has one say a word. Changes nothing. A failing server
 * is an answer, not a refusal.
 */
export const connectionTest = defineCommand({
	type: 'connection.test',
	payload: z.object({ connection: connectionFields, key: keyField }),
	accepted: z.object({
		/** Null when a model answered. */
		failedStep: z.nullable(z.enum(['list-models', 'choose-model', 'first-word'])),
		failure: z.nullable(failure),
		/** Empty where the server has no list; a model can still be typed in. */
		models: z.array(model),
		listFailure: z.nullable(failure),
		/** The model that answered, and how soon. */
		answeredModel: z.nullable(z.string()),
		firstWordMs: z.nullable(z.number())
	}),
	durable: false,
	secretFields: ['key']
});
