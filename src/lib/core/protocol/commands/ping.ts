import * as z from 'zod/mini';
import { defineCommand } from '../command.ts';

/** Asks whether the engine listens. Answers the epoch of the leading worker. */
export const ping = defineCommand({ type: 'ping', payload: z.object({}), accepted: z.object({ epoch: z.number() }), durable: false });
