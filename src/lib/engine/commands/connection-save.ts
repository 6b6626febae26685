import { tidyBaseUrl } from '#lib/core/context/base-url.ts';
import { guideConnectionId } from '#lib/core/context/guide-connection.ts';
import type { Connection } from '#lib/core/context/model.ts';
import { isJsonObject } from '#lib/core/std/json.ts';
import { err, ok } from '#lib/core/std/result.ts';
import type { UnitOfWork } from '#lib/storage/writes/write-transaction.ts';
import type { Handler } from '../engine-deps.ts';
import { connectionSecretId } from '../secrets/secret-store.ts';

export const handleConnectionSave: Handler<'connection.save'> = async (deps, { connection, key }) => {
	const secretId = connectionSecretId(connection.id);
	const sealed = typeof key === 'string' ? await deps.secrets.seal(secretId, key) : null;
	const baseUrl = tidyBaseUrl(connection.baseUrl);
	const { origin } = new URL(baseUrl);
	return {
		kind: 'write',
		tables: ['providers', '_secrets', 'secretsMeta', 'kv'],
		async decide(unit) {
			if (connection.id === guideConnectionId) return err({ code: 'connection-built-in' });
			const { providers, _secrets, secretsMeta } = unit.database;
			const earlier = await providers.get(connection.id);
			const meta = await secretsMeta.get(secretId);
			// A key goes to the origin it was entered for and to no other (T10).
			const hasMoved = meta !== undefined && meta.origin !== origin;
			const keyForgotten = key === undefined && hasMoved;
			if (sealed) {
				await _secrets.put(sealed);
				await secretsMeta.put({ id: secretId, ownerKind: 'connection', ownerId: connection.id, origin, updatedAt: unit.nowMs });
			} else if (key === null || keyForgotten) {
				await _secrets.delete(secretId);
				await secretsMeta.delete(secretId);
			}
			await providers.put({
				...connection,
				baseUrl,
				hasKey: sealed !== null || (key === undefined && meta !== undefined && !hasMoved),
				createdAt: earlier?.createdAt ?? unit.nowMs,
				updatedAt: unit.nowMs,
				stamp: unit.stamp(earlier?.stamp)
			});
			await followDefaultModel(unit, earlier, connection);
			return ok({ keyForgotten });
		},
		afterCommit: () => deps.preloadProviders()
	};
};

/** New questions that went to the connection's own model go on with the model that it has now. */
async function followDefaultModel(
	unit: UnitOfWork,
	earlier: Connection | undefined,
	connection: Pick<Connection, 'id' | 'defaultModel'>
): Promise<void> {
	const { kv } = unit.database;
	const chosen = await kv.get(['app', 'defaultModel']);
	const choice = chosen?.value;
	if (!earlier || !chosen || !isJsonObject(choice) || connection.defaultModel === '') return;
	if (choice['connectionId'] !== connection.id || choice['model'] !== earlier.defaultModel) return;
	await kv.put({
		...chosen,
		value: { connectionId: connection.id, model: connection.defaultModel },
		updatedAt: unit.nowMs,
		stamp: unit.stamp(chosen.stamp)
	});
}
