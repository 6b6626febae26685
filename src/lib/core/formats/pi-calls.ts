// Pairs tool calls of a pi session with their results. Runs anywhere. Keeps FMT-35.
// Providers number calls anew in each request, so one id may name several calls of a session.

export interface PiCalls {
	/** The item id of a new call: the call's own id, or `nodeId` when the id is absent or taken. */
	open(callId: string | null, nodeId: string): string;
	/**
	 * The item id of the call with this id that stands nearest above `from`, else of the newest; null when there is none.
	 * A result stands close below its call: 1000 ancestors are looked at, so that a hostile file costs no square.
	 */
	answered(callId: string, from: string | null, parentOf: (nodeId: string) => string | null): string | null;
}

export function createPiCalls(): PiCalls {
	const callsByNode = new Map<string, { readonly callId: string; readonly itemId: string }>();
	const newestByCall = new Map<string, { readonly itemId: string; readonly isOnly: boolean }>();
	const itemIds = new Set<string>();
	return {
		open(callId, nodeId) {
			const itemId = callId !== null && callId !== '' && !itemIds.has(callId) ? callId : nodeId;
			itemIds.add(itemId);
			const key = callId ?? '';
			callsByNode.set(nodeId, { callId: key, itemId });
			newestByCall.set(key, { itemId, isOnly: !newestByCall.has(key) });
			return itemId;
		},
		answered(callId, from, parentOf) {
			const newest = newestByCall.get(callId);
			if (newest === undefined || newest.isOnly) return newest?.itemId ?? null;
			let nodeId = from;
			for (let steps = 0; nodeId !== null && steps < 1000; steps++) {
				const call = callsByNode.get(nodeId);
				if (call?.callId === callId) return call.itemId;
				nodeId = parentOf(nodeId);
			}
			return newest.itemId;
		}
	};
}
