// Tries a connection the way the settings page asks for it: the list of models, then one word. Runs in the engine worker. SPEC.md PRV-23, PRV-24.
import { ModelError, type ModelDescription, type ModelFailure, type ModelProvider } from '#lib/core/context/model.ts';

export type ConnectionTestStep = 'list-models' | 'choose-model' | 'first-word';

/** Plain and cloneable. `models`: what the server listed, empty when it listed none. */
export type ConnectionTest =
	| {
			readonly ok: true;
			/** The model that answered. */
			readonly model: string;
			readonly models: readonly ModelDescription[];
			/** From the request to the first word or thought, milliseconds. */
			readonly firstWordMs: number;
			/** Set when the server has no list of models but answers all the same. */
			readonly listFailure?: ModelFailure;
	  }
	| {
			readonly ok: false;
			readonly failedStep: ConnectionTestStep;
			readonly failure: ModelFailure;
			readonly models: readonly ModelDescription[];
	  };

/** Failures of the list that say nothing about the way to a word: some servers have no list. */
const listMayLack: ReadonlySet<ModelFailure['code']> = new Set(['model-wrong-address', 'model-not-found', 'model-stream-malformed']);

/**
 * Never throws. An empty `model` means the first of the list (`choose-model` fails with `model-not-found` when there is none).
 * The call is broken off at its first word, so it costs next to nothing.
 */
export async function testConnection(provider: ModelProvider, model: string, signal: AbortSignal): Promise<ConnectionTest> {
	const listed = await provider.listModels(signal);
	const models = listed.ok ? listed.value : [];
	if (!listed.ok && (model === '' || !listMayLack.has(listed.error.code))) {
		return { ok: false, failedStep: 'list-models', failure: listed.error, models };
	}
	const chosen = model === '' ? models[0]?.id : model;
	if (chosen === undefined) return { ok: false, failedStep: 'choose-model', failure: { code: 'model-not-found' }, models };
	const startedAt = performance.now();
	const failure = await failureBeforeFirstWord(provider, chosen, signal);
	const firstWordMs = Math.round(performance.now() - startedAt);
	if (failure !== null) return { ok: false, failedStep: 'first-word', failure, models };
	return { ok: true, model: chosen, models, firstWordMs, ...(listed.ok ? {} : { listFailure: listed.error }) };
}

async function failureBeforeFirstWord(provider: ModelProvider, model: string, signal: AbortSignal): Promise<ModelFailure | null> {
	const request = {
		model,
		messages: [{ role: 'user', content: [{ type: 'text', text: 'Reply with one word: ready' }] }],
		parameters: {},
		locale: 'en'
	} as const;
	try {
		for await (const event of provider.stream(request, signal)) {
			if (event.type === 'text' || event.type === 'reasoning') return null;
		}
		return { code: 'model-empty-answer' };
	} catch (error) {
		if (error instanceof ModelError) return error.failure;
		throw error;
	}
}
