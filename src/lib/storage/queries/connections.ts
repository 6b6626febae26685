// Reads of what the person set up: connections and the model that new questions go to.
import { guideConnection } from '#lib/core/context/guide-connection.ts';
import type { Connection } from '#lib/core/context/model.ts';
import { isJsonObject } from '#lib/core/std/json.ts';
import type { BoughDatabase } from '../database.ts';

export interface ModelChoice {
	readonly connectionId: string;
	readonly model: string;
}

export interface Connections {
	/** The Guide last. */
	readonly connections: readonly Connection[];
	/** Where new questions go; the Guide until a connection was made. */
	readonly choice: ModelChoice;
}

export async function readConnections(database: BoughDatabase): Promise<Connections> {
	const [stored, chosen] = await Promise.all([database.providers.toArray(), database.kv.get(['app', 'defaultModel'])]);
	const connections = [...stored.sort((a, b) => a.createdAt - b.createdAt), guideConnection];
	const value = chosen?.value;
	const wanted =
		isJsonObject(value) && typeof value['connectionId'] === 'string' && typeof value['model'] === 'string'
			? { connectionId: value['connectionId'], model: value['model'] }
			: null;
	const isThere = connections.some((connection) => connection.id === wanted?.connectionId && connection.enabled);
	return { connections, choice: wanted && isThere ? wanted : { connectionId: guideConnection.id, model: guideConnection.defaultModel } };
}
