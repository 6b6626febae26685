// How a command is declared: what is asked, what an acceptance answers, which codes it may be refused with. Runs anywhere.
import * as z from 'zod/mini';

// zod probes for `Function("")`, which the content security policy reports as a violation; nothing here needs it.
z.config({ jitless: true });

export interface CommandDefinition<
	Type extends string,
	Payload extends z.ZodMiniType,
	Accepted extends z.ZodMiniType,
	Refusal extends string
> {
	/** A dotted noun and verb, such as `turn.submit`. */
	readonly type: Type;
	readonly payload: Payload;
	readonly accepted: Accepted;
	readonly refusals: readonly Refusal[];
	/** False for commands that change nothing: they are answered, but leave no receipt. */
	readonly durable: boolean;
	/** Top-level fields that hold a secret: left out of the fingerprint, never stored or logged. */
	readonly secretFields: readonly string[];
}

export function defineCommand<
	const Type extends string,
	Payload extends z.ZodMiniType,
	Accepted extends z.ZodMiniType,
	const Refusal extends string = never
>(definition: {
	type: Type;
	payload: Payload;
	accepted: Accepted;
	refusals?: readonly Refusal[];
	durable?: boolean;
	secretFields?: readonly string[];
}): CommandDefinition<Type, Payload, Accepted, Refusal> {
	return { refusals: [], durable: true, secretFields: [], ...definition };
}

/** An id made by the one who asks. */
export const idSchema = z.uuid();

/** A stamp of core/domain/stamp.ts. */
export const stampSchema = z.string().check(z.regex(/^[0-9a-z]{9}-[0-9a-f]{4}-[0-9a-f]{16}$/));

/** Nothing to say but yes. */
export const nothing = z.object({});
