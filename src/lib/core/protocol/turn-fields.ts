// The fields that every command that starts a turn shares. The tab makes all ids, so that a repeated command changes nothing.
import * as z from 'zod/mini';
import { idSchema } from './command.ts';

/** A message's text: up to a million characters (UTF-16 units). */
export const messageText = z.string().check(z.minLength(1), z.maxLength(1_000_000));

export const turnFields = {
	threadId: idSchema,
	turnId: idSchema,
	runId: idSchema,
	/** Id of the `turn_context` node. */
	contextNodeId: idSchema,
	/** Id that the answer will have, in the in-flight checkpoint and as a node. */
	answerNodeId: idSchema,
	connectionId: z.string().check(z.minLength(1), z.maxLength(64)),
	model: z.string().check(z.minLength(1), z.maxLength(200)),
	/** Language of the interface. */
	locale: z.string().check(z.minLength(2), z.maxLength(20))
};

/** Why no turn can begin now. */
export const turnRefusals = ['thread-not-found', 'thread-busy', 'connection-not-found'] as const;
