// The connections and the model that new questions go to.
import { guideConnection, guideConnectionId } from '#lib/core/context/guide-connection.ts';
import type { Connection } from '#lib/core/context/model.ts';
import type { AcceptedOf, PayloadOf, Receipt } from '#lib/core/protocol/commands.ts';
import { readConnections, type Connections, type ModelChoice } from '#lib/storage/queries/connections.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Session } from '../session.ts';
import { LiveValue } from './live-value.svelte.ts';

export type { Connection };
/** What the test of a connection found out. */
export type ConnectionReport = AcceptedOf<'connection.test'>;
/** A model server that runs on this machine. */
export type LocalServer = AcceptedOf<'connection.findLocal'>['servers'][number];
export { guideConnectionId };

/** A connection that the form begins with; `createdAt` 0 says that it is stored nowhere yet. */
export function newConnection(): Connection {
	return {
		id: newId(),
		name: '',
		kind: 'openai-compatible',
		baseUrl: '',
		defaultModel: '',
		modelIds: [],
		enabled: true,
		hasKey: false,
		// A model that is loaded into memory first may take minutes to its first word.
		firstByteTimeoutMs: 180_000,
		silenceTimeoutMs: 60_000,
		createdAt: 0,
		updatedAt: 0
	};
}

export class ConnectionsState {
	readonly #session: Session;
	readonly #live: LiveValue<Connections>;

	constructor(session: Session) {
		this.#session = session;
		this.#live = new LiveValue(session, readConnections);
	}

	/** The person's own first, the Guide last. */
	get all(): readonly Connection[] {
		return this.#live.current?.connections ?? [guideConnection];
	}

	get choice(): ModelChoice {
		return this.#live.current?.choice ?? { connectionId: guideConnection.id, model: guideConnection.defaultModel };
	}

	byId(id: string): Connection | undefined {
		return this.all.find((connection) => connection.id === id);
	}

	choose(connectionId: string, model: string): Promise<Receipt<'settings.update'>> {
		return this.#session.engine.send('settings.update', { defaultConnectionId: connectionId, defaultModel: model });
	}

	save(payload: PayloadOf<'connection.save'>): Promise<Receipt<'connection.save'>> {
		return this.#session.engine.send('connection.save', payload);
	}

	test(payload: PayloadOf<'connection.test'>): Promise<Receipt<'connection.test'>> {
		return this.#session.engine.send('connection.test', payload);
	}

	remove(connectionId: string): Promise<Receipt<'connection.remove'>> {
		return this.#session.engine.send('connection.remove', { connectionId });
	}

	findLocal(): Promise<Receipt<'connection.findLocal'>> {
		return this.#session.engine.send('connection.findLocal', {});
	}
}
