// What every screen shares, made once by the root layout. RUNS IN THE TAB.
import { createContext } from 'svelte';
import { startSession, type Session } from './session.ts';
import { AppUpdate } from './state/app-update.svelte.ts';
import { ConnectionsState } from './state/connections.svelte.ts';
import { EngineStatus } from './state/engine-status.svelte.ts';
import { Network } from './state/network.svelte.ts';
import { ThemeState } from './state/theme.svelte.ts';
import { ThreadListState } from './state/thread-list.svelte.ts';

export interface AppState {
	readonly session: Session;
	readonly status: EngineStatus;
	readonly threads: ThreadListState;
	readonly connections: ConnectionsState;
	readonly network: Network;
	readonly theme: ThemeState;
	readonly update: AppUpdate;
}

export function startApp(): AppState {
	const session = startSession();
	return {
		session,
		status: new EngineStatus(session),
		threads: new ThreadListState(session),
		connections: new ConnectionsState(session),
		network: new Network(),
		theme: new ThemeState(),
		update: new AppUpdate()
	};
}

export const [getApp, setApp] = createContext<AppState>();
