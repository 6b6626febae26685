// What the engine is made of, handed to every command. ENGINE WORKER.
import type { Connection, ModelProvider } from '#lib/core/context/model.ts';
import type { ClientId, SubmissionId } from '#lib/core/domain/ids.ts';
import type { AcceptedOf, CommandType, EngineRefusal, PayloadOf, Refusal, RefusalOf } from '#lib/core/protocol/commands.ts';
import type { EngineEvent } from '#lib/core/protocol/events.ts';
import type { Result } from '#lib/core/std/result.ts';
import type { Clock } from '#lib/platform/clock.ts';
import type { UnitOfWork, WriteDeps } from '#lib/storage/writes/write-transaction.ts';
import type { Imports } from './imports.ts';
import type { LocalServer } from './providers/find-local-servers.ts';
import type { ConnectionTest } from './providers/test-connection.ts';
import type { Runs } from './runs.ts';
import type { SecretStore } from './secrets/secret-store.ts';

export interface EngineDeps extends WriteDeps {
	readonly clock: Clock;
	readonly emit: (event: EngineEvent) => void;
	readonly runs: Runs;
	readonly secrets: SecretStore;
	readonly imports: Imports;
	readonly createProvider: (connection: Connection, getKey: () => Promise<string | null>) => ModelProvider;
	/** Loads what talking to a server needs, ahead of the first question. Never throws. */
	readonly preloadProviders: () => void;
	/** Never throws. An empty `model`: the first one listed. */
	readonly testConnection: (provider: ModelProvider, model: string, signal: AbortSignal) => Promise<ConnectionTest>;
	readonly findLocalServers: () => Promise<readonly LocalServer[]>;
}

/** Whose command it is. */
export interface CommandIdentity {
	readonly clientId: ClientId;
	readonly submissionId: SubmissionId;
}

type ResultOf<T extends CommandType> = Result<AcceptedOf<T>, Refusal<RefusalOf<T> | EngineRefusal>>;

/** How a command is carried out. */
export type Plan<T extends CommandType> =
	/** Decided and written in one transaction over `tables`, together with its receipt. A refusal must not have written anything. */
	| {
			readonly kind: 'write';
			readonly tables: readonly string[];
			readonly decide: (unit: UnitOfWork) => Promise<ResultOf<T>>;
			/** Starts what the write has made possible. Not for a repeated command. */
			readonly afterCommit?: () => void;
	  }
	/** Several transactions of its own, each whole; the receipt comes after the last. Must bear being repeated. */
	| { readonly kind: 'long'; readonly run: () => Promise<ResultOf<T>> }
	/** Changes nothing, leaves no receipt. */
	| { readonly kind: 'answer'; readonly answer: () => Promise<ResultOf<T>> };

/** Prepares a command; what cannot be awaited inside a database transaction (encryption, stopping a run) happens here. */
export type Handler<T extends CommandType> = (
	deps: EngineDeps,
	payload: PayloadOf<T>,
	identity: CommandIdentity
) => Promise<Plan<T>> | Plan<T>;
