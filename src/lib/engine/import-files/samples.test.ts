// Checks real and made files of other tools against numbers that were counted independently of this code.
// The files belong to their tools and are no part of this repository; without them the suite is skipped.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isVisible, textOf } from '#lib/core/domain/nodes.ts';
import type { ImportedNode, ImportedThread, ImportOutcome } from '#lib/core/formats/imported.ts';
import { readImportFile } from './read-import-file.ts';
import { zipOf } from './test-files.ts';

const folder = join(process.cwd(), '../shared/formats/samples');

function readSample(path: string): Promise<ImportOutcome[]> {
	return Array.fromAsync(readImportFile(new File([readFileSync(join(folder, path))], path)));
}

async function readThread(path: string): Promise<{ thread: ImportedThread; findings: ImportOutcome['findings'] }> {
	const [outcome, ...others] = await readSample(path);
	expect(others).toEqual([]);
	return { thread: threadOf(outcome), findings: outcome?.findings ?? [] };
}

function threadOf(outcome: ImportOutcome | undefined): ImportedThread {
	if (!outcome?.thread) throw new Error('the sample gave no thread');
	return outcome.thread;
}

function countTypes(nodes: readonly ImportedNode[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { content } of nodes) counts[content.type] = (counts[content.type] ?? 0) + 1;
	return counts;
}

function pathTo(thread: ImportedThread): ImportedNode[] {
	const byId = new Map(thread.nodes.map((node) => [node.externalId, node]));
	const path: ImportedNode[] = [];
	for (let id = thread.leafExternalId; id !== null;) {
		const node = byId.get(id);
		if (node === undefined) throw new Error(`no node ${id}`);
		path.unshift(node);
		id = node.parentExternalId;
	}
	return path;
}

/** The tree without its labels, which are names and no places. */
function shape(thread: ImportedThread) {
	const nodes = thread.nodes.filter((node) => node.content.type !== 'label');
	const parents = nodes.map((node) => node.parentExternalId);
	const leaves = nodes.filter((node) => !parents.includes(node.externalId)).map((node) => node.externalId);
	const branchPoints = [...new Set(parents)].filter((id) => id !== null && parents.filter((parent) => parent === id).length > 1);
	return { leaves, branchPoints };
}

const isMessage = (node: ImportedNode) => node.content.type === 'user_message' || node.content.type === 'assistant_message';

describe.skipIf(!existsSync(folder))('samples of other tools', () => {
	it('FMT-12: a ChatGPT tree with two branch points keeps its three leaves and its current one', async () => {
		const { thread, findings } = await readThread('real/chatgpt/chatgpt-tree.json');
		expect(thread.title).toHaveLength(24);
		expect(countTypes(thread.nodes)).toEqual({ user_message: 5, assistant_message: 6 });
		expect(shape(thread).branchPoints).toHaveLength(2);
		expect(shape(thread).leaves).toHaveLength(3);
		expect(countTypes(pathTo(thread))).toEqual({ user_message: 3, assistant_message: 3 });
		expect(findings).toEqual([]);
	});

	it('FMT-22: a ChatGPT export with one corrupted entry gives the other two and a report', async () => {
		const outcomes = await readSample('real/chatgpt/librechat_chatgpt-modern-export.json');
		expect(outcomes.map((outcome) => outcome.thread === null)).toEqual([false, true, false]);
		expect(outcomes.map((outcome) => outcome.findings.map((finding) => finding.code))).toEqual([[], ['conversation-unreadable'], []]);
		const first = threadOf(outcomes[0]);
		expect(countTypes(first.nodes)).toEqual({ custom: 1, user_message: 2, assistant_message: 2 });
		expect(countTypes(pathTo(first).filter(isMessage))).toEqual({ user_message: 2, assistant_message: 2 });
		expect(shape(first).branchPoints).toEqual([]);
		const models = first.nodes.flatMap(({ content }) => (content.type === 'assistant_message' ? content.payload.model : []));
		expect(models).toEqual(['gpt-5-thinking', 'o4-mini']);
		const third = threadOf(outcomes[2]);
		expect(countTypes(third.nodes)).toEqual({ user_message: 1, assistant_message: 1 });
		expect(pathTo(third)).toHaveLength(2);
	});

	it('FMT-60: a sharded ChatGPT archive is read in order, with its odd conversations', async () => {
		const names = ['conversations-001.json', 'conversations-000.json', 'conversations.json.index', 'user.json'];
		const files = names.map((name) => ({ name, text: readFileSync(join(folder, 'synthetic/chatgpt_sharded', name), 'utf8') }));
		const outcomes = await Array.fromAsync(readImportFile(await zipOf(files)));
		expect(outcomes.map((outcome) => outcome.thread?.externalId)).toEqual(['chatgpt:k1', 'chatgpt:k2', 'chatgpt:k3']);

		const k1 = threadOf(outcomes[0]);
		expect(shape(k1).leaves.toSorted()).toEqual(['a1', 'a4', 'u2']);
		expect(shape(k1).branchPoints).toEqual(['u1', 'a3']);
		expect(k1.leafExternalId).toBe('a4');
		expect(pathTo(k1).map((node) => node.externalId)).toEqual(['u1', 'a2', 't1', 'a3', 'u3', 'a4']);
		const a3 = k1.nodes.find((node) => node.externalId === 'a3')?.content;
		if (a3?.type !== 'assistant_message') throw new Error('a3 is no answer');
		expect(a3.payload.reasoning).toMatch(/\S/);
		expect(textOf(a3.payload.content)).toMatch(/^[ -~]+$/);
		expect(a3.payload.model).toBe('gpt-5-thinking');
		expect(k1.archived).toBe(true);

		const k2 = outcomes[1];
		expect(threadOf(k2).leafExternalId).toBe('a');
		expect(k2?.findings.map((finding) => finding.code)).toEqual(['current-node-missing']);

		const k3 = outcomes[2];
		expect(countTypes(threadOf(k3).nodes)).toEqual({ user_message: 1, assistant_message: 1 });
		expect(pathTo(threadOf(k3)).map((node) => node.externalId)).toEqual(['u', 'a']);
		expect(k3?.findings.map((finding) => finding.code)).toEqual(['parent-cycle']);
	});

	it('FMT-30: a pi v1 session is linear, its string content is text, its call has its result', async () => {
		const { thread, findings } = await readThread('real/pi/cass_pi_session.jsonl');
		expect(countTypes(thread.nodes)).toEqual({
			user_message: 2,
			assistant_message: 2,
			tool_call: 1,
			tool_result: 1,
			thinking_level_change: 1,
			model_change: 1
		});
		expect(shape(thread)).toEqual({ leaves: [thread.nodes.at(-1)?.externalId], branchPoints: [] });
		expect(pathTo(thread).at(-1)?.content.type).toBe('tool_result');
		const stops = thread.nodes.flatMap(({ content }) => (content.type === 'assistant_message' ? content.payload.stopReason : []));
		expect(stops).toEqual(['stop', 'toolUse']);
		const items = thread.nodes.flatMap(({ content }) => ('itemId' in content.payload ? content.payload.itemId : []));
		expect(items).toEqual(['call_123', 'call_123']);
		expect(findings).toEqual([]);
	});

	it('FMT-33: a pi v3 session with branches keeps every entry in its place', async () => {
		const { thread, findings } = await readThread('synthetic/pi_v3_branches.jsonl');
		expect(countTypes(thread.nodes)).toEqual({
			user_message: 4,
			assistant_message: 5,
			tool_call: 1,
			tool_result: 1,
			branch_summary: 1,
			label: 1,
			session_info: 1,
			custom: 1,
			compaction: 1
		});
		expect(shape(thread)).toEqual({ leaves: ['00000006', '0000000f'], branchPoints: ['00000002'] });
		const children = thread.nodes.filter((node) => node.parentExternalId === '00000002').map((node) => node.externalId);
		expect(children).toEqual(['00000003', '00000007']);
		expect(thread.leafExternalId).toBe('0000000f');
		expect(thread.title).toBe('Trip');
		expect(thread.nodes.find((node) => node.content.type === 'label')).toMatchObject({
			parentExternalId: '00000006',
			content: { payload: { targetId: '00000006', label: 'japan' } }
		});
		expect(thread.nodes.find((node) => node.content.type === 'compaction')?.content.payload).toMatchObject({
			firstKeptEntryId: '00000008',
			tokensBefore: 1234
		});
		expect(findings).toEqual([]);
	});

	it('FMT-31: a pi session with a repeated id keeps its four messages and both custom entries', async () => {
		const { thread, findings } = await readThread('synthetic/pi_v3_cycle_duplicate_ids.jsonl');
		expect(countTypes(thread.nodes)).toEqual({ user_message: 2, assistant_message: 2, custom: 2 });
		expect(new Set(thread.nodes.map((node) => node.externalId)).size).toBe(6);
		expect(thread.leafExternalId).toBe('00000004');
		expect(pathTo(thread).filter(isMessage)).toHaveLength(4);
		expect(findings.map((finding) => finding.code)).toEqual(['duplicate-id']);
	});

	it('FMT-39: the last line of a dying process does not move the leaf of a pi session', async () => {
		const { thread } = await readThread('synthetic/pi_v3_stale_last_line.jsonl');
		expect(thread.leafExternalId).toBe('00000004');
		expect(pathTo(thread).filter((node) => isVisible(node.content))).toHaveLength(4);
	});

	it('FMT-41: a torn last line of a pi session loses only itself', async () => {
		const { thread, findings } = await readThread('synthetic/pi_v3_torn_last_line.jsonl');
		const texts = thread.nodes.map(({ content }) => ('content' in content.payload ? textOf(content.payload.content) : ''));
		expect(texts).toEqual(['a', 'b']);
		expect(findings).toEqual([{ code: 'torn-last-line', count: 1, where: 'line 4' }]);
	});

	it.each([
		['real/chatbot-ui/chatbotui-export.json', 'chatbot-ui'],
		['real/claude-code/daaain_edge_cases.jsonl', 'claude-code'],
		['real/claude-code/daaain_representative_messages.jsonl', 'claude-code'],
		['real/claude-code/happy_duplicate-assistant-response.jsonl', 'claude-code'],
		['real/claude-code/happy_permission-prompt-aborted-with-interrupt.jsonl', 'claude-code'],
		['real/claude-code/simonw_sample_session.jsonl', 'claude-code'],
		['real/librechat/librechat-export.json', 'librechat'],
		['real/librechat/librechat-linear.json', 'librechat'],
		['real/librechat/librechat-opts-nonr-branches.json', 'librechat'],
		['real/librechat/librechat-tree.json', 'librechat'],
		['real/open-webui/librechat_openwebui-export.json', 'open-webui'],
		['synthetic/chatbox_exported_data.json', 'chatbox'],
		['synthetic/cherry_data_v5.json', 'cherry-studio'],
		['synthetic/claude_ai_branches.json', 'claude-ai'],
		['synthetic/claude_code_compact_phantom.jsonl', 'claude-code'],
		['synthetic/gemini_takeout_MyActivity.json', 'gemini-takeout'],
		['synthetic/llamacpp_ui_export.jsonl', 'llama-cpp'],
		['synthetic/nextchat_backup.json', 'nextchat'],
		['synthetic/opencode_export.json', 'opencode'],
		['synthetic/openwebui_broken_links.json', 'open-webui'],
		['synthetic/sillytavern_bom_branch.jsonl', 'sillytavern']
	])('FMT-02: %s is refused as a file of %s', async (path, format) => {
		await expect(readSample(path)).rejects.toMatchObject({ code: 'import-format-not-supported-yet', data: { format } });
	});
});
