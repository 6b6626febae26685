import { guideConnectionId } from '#lib/core/context/guide-connection.ts';
import { err, ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';
import { connectionSecretId } from '../secrets/secret-store.ts';

export const handleConnectionRemove: Handler<'connection.remove'> = (_deps, { connectionId }) => ({
	kind: 'write',
	tables: ['providers', '_secrets', 'secretsMeta'],
	async decide(unit) {
		if (connectionId === guideConnectionId) return err({ code: 'connection-built-in' });
		if (!(await unit.database.providers.get(connectionId))) return err({ code: 'connection-not-found' });
		await unit.database.providers.delete(connectionId);
		await unit.database._secrets.delete(connectionSecretId(connectionId));
		await unit.database.secretsMeta.delete(connectionSecretId(connectionId));
		return ok({});
	}
});
