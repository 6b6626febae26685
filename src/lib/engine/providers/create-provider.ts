// From a stored connection to a way to its model. Runs in the engine worker. SPEC.md PRV-30.
import type { Connection, ModelProvider } from '#lib/core/context/model.ts';
import { createGuideProvider } from './guide/create-guide-provider.ts';
import { createOpenAiCompatibleProvider } from './openai-compatible.ts';
import type { ProviderDeps } from './provider-deps.ts';

/** A provider for `connection`; keep it for as long as the connection does not change, since it remembers what the server refused. */
export function createProvider(deps: ProviderDeps, connection: Connection, getKey: () => Promise<string | null>): ModelProvider {
	switch (connection.kind) {
		case 'guide':
			return createGuideProvider();
		case 'openai-compatible':
			return createOpenAiCompatibleProvider({ connection, getKey, deps });
	}
}
