// The ids and choices that every command which starts a turn carries; the tab makes them, so that a repeat changes nothing.
import type { ThreadId } from '#lib/core/domain/ids.ts';
import { newId } from '#lib/platform/ids.ts';
import type { ModelChoice } from '#lib/storage/queries/connections.ts';

export interface TurnSettings extends ModelChoice {
	readonly locale: string;
}

export function newTurn(threadId: ThreadId, { connectionId, model, locale }: TurnSettings) {
	return { threadId, turnId: newId(), runId: newId(), contextNodeId: newId(), answerNodeId: newId(), connectionId, model, locale };
}
