// From a node to what the tree view keeps of it. SPEC.md TREE-35.
import { type ContentBlock, type TreeNode, readable, textOf } from './nodes.ts';
import type { OutlineNode } from './outline.ts';

/** Longest first line in Unicode code points. */
export const maxLineLength = 100;
/** Nothing further in is looked at: a text of megabytes is not gone through for its first line. */
const lookedAt = 2_000;

/** The first line that says something, without the marks of Markdown around it, cut to `maxLineLength` code points. */
export function firstLineOf(text: string): string {
	for (const line of text.slice(0, lookedAt).split('\n')) {
		const words = line
			.replace(/^(?:\s|#{1,6}\s|>|[-*+]\s|\d+\.\s|`{3,}|~{3,})+/u, '')
			.replace(/\*\*|`/gu, '')
			.replace(/\s+/gu, ' ')
			.trim();
		if (words === '') continue;
		const points = [...words];
		return points.length <= maxLineLength ? words : `${points.slice(0, maxLineLength - 1).join('')}…`;
	}
	return '';
}

/** Of a message without words, the name of the first thing that it has. */
function lineOf(content: readonly ContentBlock[]): string {
	const line = firstLineOf(textOf(content));
	const named = content.find((block) => block.type === 'attachment' || block.type === 'missing');
	return line !== '' || named === undefined ? line : firstLineOf(named.name);
}

export function outlineNodeOf(stored: TreeNode): OutlineNode {
	const node = readable(stored);
	const { id, parentId, seq, type, ts } = node;
	return {
		id,
		parentId,
		seq,
		type,
		ts,
		...(node.deleted ? { deleted: true } : {}),
		...(node.deletedOrd === undefined ? {} : { deletedOrd: node.deletedOrd }),
		...wordsOf(node)
	};
}

function wordsOf(node: TreeNode): Pick<OutlineNode, 'line' | 'name' | 'naming' | 'isGuide' | 'continues'> {
	switch (node.type) {
		case 'user_message':
			return { line: lineOf(node.payload.content), name: '' };
		case 'assistant_message': {
			const { content, model, connectionId, continuesNodeId } = node.payload;
			return {
				line: lineOf(content),
				name: model,
				...(connectionId === 'guide' ? { isGuide: true } : {}),
				...(continuesNodeId === undefined ? {} : { continues: continuesNodeId })
			};
		}
		case 'tool_call':
			return { line: '', name: node.payload.toolName };
		case 'tool_result':
			return { line: lineOf(node.payload.contentForLlm), name: '' };
		case 'system_notice':
			return { line: '', name: node.payload.code };
		case 'custom_message':
			return { line: lineOf(node.payload.content), name: node.payload.customType };
		case 'compaction':
		case 'branch_summary':
			return { line: firstLineOf(node.payload.summary), name: '' };
		case 'label':
			return { line: '', name: '', naming: { targetId: node.payload.targetId, label: node.payload.label } };
		case 'unknown':
			return { line: '', name: node.payload.originalType };
		default:
			// Stands in the chain without being seen; or came, past every check, with a type that nobody knows.
			return { line: '', name: node.type };
	}
}
