// What the adapter's tests share: a server of their own, a provider for it, and an ear.
import { afterAll, beforeAll } from 'vitest';
import {
	ModelError,
	type Connection,
	type ModelEvent,
	type ModelFailure,
	type ModelProvider,
	type ModelRequest
} from '#lib/core/context/model.ts';
import { startModelServer, type ModelServer } from '../../../../tests/fixtures/model-server/start-model-server.ts';
import { createOpenAiCompatibleProvider } from './openai-compatible.ts';
import { createProviderDeps, type ProviderDeps } from './provider-deps.ts';

export const canary = 'sk-canary-4f9A7c2E1b8D6056';
export const never = new AbortController().signal;

export interface ProviderSetup {
	readonly path?: string;
	readonly key?: string | null;
	readonly connection?: Partial<Connection>;
	readonly deps?: Partial<ProviderDeps>;
}

function providerFor(server: ModelServer, { path = '/openai/v1', key = null, connection = {}, deps = {} }: ProviderSetup): ModelProvider {
	return createOpenAiCompatibleProvider({
		connection: {
			id: 'c1',
			name: 'Test',
			kind: 'openai-compatible',
			baseUrl: server.url + path,
			defaultModel: 'echo',
			modelIds: [],
			enabled: true,
			hasKey: key !== null,
			firstByteTimeoutMs: 5000,
			silenceTimeoutMs: 5000,
			createdAt: 0,
			updatedAt: 0,
			...connection
		},
		getKey: () => Promise.resolve(key),
		deps: { ...createProviderDeps(), ...deps }
	});
}

export function ask(model: string, text = 'Hello', more: Partial<ModelRequest> = {}): ModelRequest {
	return { model, messages: [{ role: 'user', content: [{ type: 'text', text }] }], parameters: {}, locale: 'en', ...more };
}

export interface Heard {
	readonly events: readonly ModelEvent[];
	readonly text: string;
	readonly reasoning: string;
	readonly end: Extract<ModelEvent, { type: 'end' }> | null;
	readonly failure: ModelFailure | null;
}

/** Hears an answer to its end; anything but a ModelError fails the test. */
export async function hear(provider: ModelProvider, request: ModelRequest, signal = never): Promise<Heard> {
	const events: ModelEvent[] = [];
	let failure: ModelFailure | null = null;
	try {
		for await (const event of provider.stream(request, signal)) events.push(event);
	} catch (error) {
		if (!(error instanceof ModelError)) throw error;
		failure = error.failure;
	}
	const join = (type: 'text' | 'reasoning'): string => events.map((event) => (event.type === type ? event.text : '')).join('');
	return { events, text: join('text'), reasoning: join('reasoning'), end: events.find((event) => event.type === 'end') ?? null, failure };
}

export function bodyOf(request: ModelServer['requests'][number] | undefined): Record<string, unknown> {
	return request?.body as Record<string, unknown>;
}

export interface Setup {
	readonly server: () => ModelServer;
	readonly setupProvider: (setup?: ProviderSetup) => ModelProvider;
	/** The newest request that asked for an answer. */
	readonly lastAsked: () => ModelServer['requests'][number] | undefined;
}

/** One server for the tests of a file. */
export function setupServer(): Setup {
	let server: ModelServer;
	beforeAll(async () => {
		server = await startModelServer();
	});
	afterAll(() => server.close());
	return {
		server: () => server,
		setupProvider: (setup = {}) => providerFor(server, setup),
		lastAsked: () => server.requests.findLast((request) => request.method === 'POST')
	};
}
