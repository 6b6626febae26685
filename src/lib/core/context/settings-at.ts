// What was in force at a place of a branch: from the turn contexts and changes above it. Pure. SPEC.md CTX-08.
import type { TreeNode, TurnContextPayload } from '../domain/nodes.ts';

export interface SettingsAt {
	/** The newest turn context; null before the first turn, and in conversations of other tools. */
	readonly turnContext: TurnContextPayload | null;
	/** Whatever names a model last: a turn context, a change of the model, an answer. */
	readonly model: string | null;
	readonly thinkingLevel: string | null;
	/** Null where nothing ever changed them. */
	readonly activeTools: readonly string[] | null;
}

/** `path`: root first, as the tree gives it, down to the place itself; tombstones count for nothing. */
export function settingsAt(path: readonly TreeNode[]): SettingsAt {
	let turnContext: TurnContextPayload | null = null;
	let model: string | null = null;
	let thinkingLevel: string | null = null;
	let activeTools: readonly string[] | null = null;
	for (const node of path) {
		if (node.deleted) continue;
		switch (node.type) {
			case 'turn_context':
				turnContext = node.payload;
				model = node.payload.model;
				break;
			case 'assistant_message':
				model = node.payload.model;
				break;
			case 'model_change':
				model = node.payload.modelId;
				break;
			case 'thinking_level_change':
				({ thinkingLevel } = node.payload);
				break;
			case 'active_tools_change':
				activeTools = node.payload.activeToolNames;
		}
	}
	return { turnContext, model, thinkingLevel, activeTools };
}
