import { expect, it } from 'vitest';
import type { NodeContent, TreeNode } from '../domain/nodes.ts';
import { settingsAt } from './settings-at.ts';

const chain = (...contents: readonly (NodeContent & { readonly deleted?: true })[]): TreeNode[] =>
	contents.map((content, at) => ({
		id: `n${at}`,
		threadId: 't',
		parentId: at === 0 ? null : `n${at - 1}`,
		seq: at + 1,
		ts: at,
		ord: '',
		segmentId: 'n0',
		depth: at,
		...content
	}));
const context = (model: string) => ({
	type: 'turn_context' as const,
	payload: { turnId: `turn of ${model}`, connectionId: 'c', model, permissionPolicy: 'ask' as const, activeSkills: [] }
});
const answer = (model: string): NodeContent => ({
	type: 'assistant_message',
	payload: { content: [], model, connectionId: 'c', status: 'complete' }
});

it('CTX-08: what was in force is what was said last above the place', () => {
	const path = chain(
		context('first'),
		answer('first-2026'),
		{ type: 'thinking_level_change', payload: { thinkingLevel: 'high' } },
		{ type: 'active_tools_change', payload: { activeToolNames: ['read', 'write'] } },
		{ type: 'model_change', payload: { provider: 'p', modelId: 'second' } },
		context('third'),
		{ ...context('taken back'), deleted: true }
	);
	expect(settingsAt(path.slice(0, 2))).toEqual({
		turnContext: context('first').payload,
		model: 'first-2026',
		thinkingLevel: null,
		activeTools: null
	});
	expect(settingsAt(path.slice(0, 5))).toEqual({
		turnContext: context('first').payload,
		model: 'second',
		thinkingLevel: 'high',
		activeTools: ['read', 'write']
	});
	expect(settingsAt(path)).toMatchObject({ turnContext: context('third').payload, model: 'third', thinkingLevel: 'high' });
	expect(settingsAt([])).toEqual({ turnContext: null, model: null, thinkingLevel: null, activeTools: null });
});
