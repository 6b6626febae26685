// The words for codes: what happened and what to do. An unknown code is shown as such, never swallowed.
import { m } from './generated/messages.js';

/** What a failure may carry besides its code. */
export interface FailureData {
	readonly status?: number | undefined;
	readonly retryAfterMs?: number | undefined;
	readonly detail?: string | undefined;
}

/** The names that the tools go by, of the formats that are only recognised so far. */
const toolNames: Readonly<Record<string, string>> = {
	'llama-cpp': 'llama.cpp',
	'claude-ai': 'Claude',
	'claude-code': 'Claude Code',
	codex: 'Codex',
	sillytavern: 'SillyTavern',
	'open-webui': 'Open WebUI',
	librechat: 'LibreChat',
	lobechat: 'LobeChat',
	'chatbot-ui': 'Chatbot UI',
	nextchat: 'NextChat',
	chatbox: 'Chatbox',
	'cherry-studio': 'Cherry Studio',
	'big-agi': 'big-AGI',
	grok: 'Grok',
	'google-ai-studio': 'Google AI Studio',
	'gemini-takeout': 'Gemini (Takeout)',
	'gemini-cli': 'Gemini CLI',
	opencode: 'OpenCode',
	loom: 'Loom'
};

const texts: Readonly<Record<string, (data: FailureData) => string>> = {
	'model-offline': () => m.error_model_offline(),
	'model-unreachable': () => m.error_model_unreachable(),
	'model-cors': () => m.error_model_cors(),
	'model-mixed-content': () => m.error_model_mixed_content(),
	'model-key-refused': () => m.error_model_key_refused(),
	'model-key-missing': () => m.error_model_key_missing(),
	'model-not-found': () => m.error_model_not_found(),
	'model-wrong-address': () => m.error_model_wrong_address(),
	'model-rate-limited': ({ retryAfterMs }) =>
		retryAfterMs === undefined
			? m.error_model_rate_limited()
			: m.error_model_rate_limited_wait({ seconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) }),
	'model-quota-used-up': () => m.error_model_quota_used_up(),
	'model-context-too-long': () => m.error_model_context_too_long(),
	'model-request-refused': () => m.error_model_request_refused(),
	'model-server-error': () => m.error_model_server_error(),
	'model-stream-cut': () => m.error_model_stream_cut(),
	'model-stream-malformed': () => m.error_model_stream_malformed(),
	'model-stream-error': () => m.error_model_stream_error(),
	'model-silent': () => m.error_model_silent(),
	'model-empty-answer': () => m.error_model_empty_answer(),
	'model-code-missing': () => m.error_model_code_missing(),
	'model-aborted': () => m.error_model_aborted(),
	'storage-full': () => m.error_storage_full(),
	'storage-outdated': () => m.error_storage_outdated(),
	'storage-blocked': () => m.error_storage_blocked(),
	'storage-unavailable': () => m.error_storage_unavailable(),
	'storage-failed': () => m.error_storage_failed(),
	'engine-storage-full': () => m.error_storage_full(),
	'engine-storage-failed': () => m.error_storage_failed(),
	'engine-outdated': () => m.error_storage_outdated(),
	'engine-crashed': () => m.error_engine_crashed(),
	'engine-failed': () => m.error_engine_failed(),
	'engine-no-answer': () => m.error_engine_no_answer(),
	'thread-busy': () => m.error_thread_busy(),
	'node-not-found': () => m.error_node_not_found(),
	'thread-not-found': () => m.thread_not_found(),
	'thread-gone': () => m.error_thread_gone(),
	'cursor-moved': () => m.error_cursor_moved(),
	'node-inside-tool-call': () => m.error_node_inside_tool_call(),
	'deletion-not-found': () => m.error_deletion_not_found(),
	'not-one-branch': () => m.error_not_one_branch(),
	'connection-not-found': () => m.error_connection_not_found(),
	'import-not-a-known-format': () => m.error_import_not_a_known_format(),
	'import-format-not-supported-yet': ({ detail }) =>
		m.error_import_format_not_supported_yet({ tool: (detail === undefined ? undefined : toolNames[detail]) ?? detail ?? '?' }),
	'import-zip-damaged': () => m.error_import_zip_damaged(),
	'import-encrypted': () => m.error_import_encrypted(),
	'import-empty': () => m.error_import_empty(),
	'import-too-large': () => m.error_import_too_large(),
	'import-unreadable': () => m.error_import_unreadable()
};

export function errorText(code: string, data: FailureData = {}): string {
	return texts[code]?.(data) ?? m.error_unknown({ code });
}

/** What a notice in a conversation says. `data`: as its code's writer left it; what is not understood is left out. */
export function noticeText(code: string, data: unknown): string {
	if (code !== 'tree-repaired') return errorText(code);
	const told: Readonly<Record<string, unknown>> = typeof data === 'object' && data !== null ? { ...data } : {};
	const count = (key: string): number => (typeof told[key] === 'number' ? told[key] : 0);
	return [
		m.notice_tree_repaired(),
		...(told['isCursorLost'] === true ? [m.notice_tree_cursor()] : []),
		...(count('cutOff') > 0 ? [m.notice_tree_cut_off({ count: count('cutOff') })] : []),
		...(count('doubleSeqs') > 0 ? [m.notice_tree_double({ count: count('doubleSeqs') })] : [])
	].join(' ');
}

const findings: Readonly<Record<string, () => string>> = {
	'conversation-without-messages': () => m.finding_conversation_without_messages(),
	'conversation-unreadable': () => m.finding_conversation_unreadable(),
	'line-unreadable': () => m.finding_line_unreadable(),
	'torn-last-line': () => m.finding_torn_last_line(),
	'missing-parent': () => m.finding_missing_parent(),
	'parent-cycle': () => m.finding_parent_cycle(),
	'duplicate-id': () => m.finding_duplicate_id(),
	'current-node-missing': () => m.finding_current_node_missing(),
	'unknown-content-kept': () => m.finding_unknown_content_kept(),
	'file-missing-from-export': () => m.finding_file_missing_from_export(),
	'too-deep': () => m.finding_too_deep()
};

/** What an import noticed. */
export function findingText(code: string): string {
	return findings[code]?.() ?? m.error_unknown({ code });
}
