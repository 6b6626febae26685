// The answer of `/models` in the shapes that servers give it. Pure; runs anywhere. SPEC.md PRV-12.
import type { ModelDescription } from '#lib/core/context/model.ts';
import { countOf, fieldsOf, stringOf } from './read-chunk.ts';

/** In the server's order; null when `body` is no list of models. Ollama without a model says `data: null`, Together sends a bare array. */
export function readModelList(body: unknown): readonly ModelDescription[] | null {
	const fields = fieldsOf(body);
	const list = Array.isArray(body) ? body : fields?.['object'] === 'list' && fields['data'] === null ? [] : fields?.['data'];
	if (!Array.isArray(list)) return null;
	const models: ModelDescription[] = [];
	for (const entry of list.map(fieldsOf)) {
		const id = stringOf(entry?.['id']);
		if (entry === null || id === '') continue;
		const name = stringOf(entry['display_name']) || stringOf(entry['name']);
		models.push({ id, displayName: name === '' || name === id ? null : name, contextWindow: readContextWindow(entry) });
	}
	return models;
}

/** OpenRouter and Together, Groq, vLLM, Mistral and LM Studio, llama.cpp: each has its own word for it. */
function readContextWindow(entry: Readonly<Record<string, unknown>>): number | null {
	const meta = fieldsOf(entry['meta']);
	const candidates = [
		entry['context_length'],
		entry['context_window'],
		entry['max_model_len'],
		entry['max_context_length'],
		meta?.['n_ctx'],
		meta?.['n_ctx_train']
	];
	return candidates.map(countOf).find((count) => count !== null && count > 0) ?? null;
}
