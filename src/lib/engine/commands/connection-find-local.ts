import { ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handleConnectionFindLocal: Handler<'connection.findLocal'> = (deps) => ({
	kind: 'answer',
	answer: async () => ok({ servers: (await deps.findLocalServers()).map((server) => ({ ...server, models: [...server.models] })) })
});
