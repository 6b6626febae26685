// What a person enters of a connection. The key travels once, from the form to the engine, and never comes back.
import * as z from 'zod/mini';

export const connectionId = z.string().check(z.minLength(1), z.maxLength(64));

export const connectionFields = z.object({
	id: connectionId,
	name: z.string().check(z.minLength(1), z.maxLength(80)),
	kind: z.enum(['openai-compatible']),
	// A name or password in it would be stored and shown: keys have their own field.
	baseUrl: z.url({ protocol: /^https?$/ }).check(
		z.maxLength(2000),
		z.refine((url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''))
	),
	defaultModel: z.string().check(z.maxLength(200)),
	modelIds: z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.maxLength(2000)),
	enabled: z.boolean(),
	firstByteTimeoutMs: z.int().check(z.minimum(1_000), z.maximum(3_600_000)),
	silenceTimeoutMs: z.int().check(z.minimum(1_000), z.maximum(3_600_000))
});

/** Undefined: keep the key on record. Null: forget it. */
export const keyField = z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(4000))));
