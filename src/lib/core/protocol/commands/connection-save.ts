import * as z from 'zod/mini';
import { defineCommand } from '../command.ts';
import { connectionFields, keyField } from '../connection-fields.ts';

/**
 * Adds or changes a connection. A key is bound to the origin it was entered for: when the base URL moves to another origin
 * without a new key, the old key is forgotten (`keyForgotten`), never sent there (threat T10).
 */
export const connectionSave = defineCommand({
	type: 'connection.save',
	payload: z.object({ connection: connectionFields, key: keyField }),
	accepted: z.object({ keyForgotten: z.boolean() }),
	refusals: ['connection-built-in'],
	secretFields: ['key']
});
