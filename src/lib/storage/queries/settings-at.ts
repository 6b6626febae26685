// What was in force at a place of a conversation.
import { settingsAt, type SettingsAt } from '#lib/core/context/settings-at.ts';
import type { NodeId, ThreadId } from '#lib/core/domain/ids.ts';
import type { BoughDatabase } from '../database.ts';
import { readPathWindow } from './path-window.ts';

/** Reads the whole way up to `nodeId`: a change that is still in force may stand anywhere on it. */
export async function readSettingsAt(database: BoughDatabase, threadId: ThreadId, nodeId: NodeId): Promise<SettingsAt> {
	const { nodes } = await readPathWindow(database, threadId, nodeId, Infinity);
	return settingsAt(nodes);
}
