// Where a payload names other nodes: what a copy or an import must carry over to the new ids. Pure. SPEC.md TREE-13.
import type { NodeId } from './ids.ts';
import type { NodeContent } from './nodes.ts';

/** References inside a payload become new ids; one that points out of what was copied is dropped where the payload allows it. */
export function withNewIds(content: NodeContent, idOf: (id: NodeId) => NodeId | undefined): NodeContent {
	switch (content.type) {
		case 'assistant_message': {
			const { continuesNodeId, ...rest } = content.payload;
			const continued = continuesNodeId === undefined ? undefined : idOf(continuesNodeId);
			return { type: 'assistant_message', payload: { ...rest, ...(continued === undefined ? {} : { continuesNodeId: continued }) } };
		}
		case 'label':
			return { type: 'label', payload: { ...content.payload, targetId: idOf(content.payload.targetId) ?? content.payload.targetId } };
		case 'compaction': {
			const { firstKeptEntryId, throughNodeId, ...rest } = content.payload;
			const first = firstKeptEntryId === undefined ? undefined : idOf(firstKeptEntryId);
			const through = throughNodeId === undefined ? undefined : idOf(throughNodeId);
			return {
				type: 'compaction',
				payload: {
					...rest,
					...(first === undefined ? {} : { firstKeptEntryId: first }),
					...(through === undefined ? {} : { throughNodeId: through })
				}
			};
		}
		case 'branch_summary': {
			const { fromId, branchPointId, ...rest } = content.payload;
			const point = branchPointId === undefined ? undefined : idOf(branchPointId);
			return {
				type: 'branch_summary',
				payload: {
					...rest,
					fromId: fromId === null ? null : (idOf(fromId) ?? null),
					...(point === undefined ? {} : { branchPointId: point })
				}
			};
		}
		default:
			return content;
	}
}
