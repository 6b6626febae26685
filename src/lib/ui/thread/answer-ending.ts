// How an answer ended, in words and ways on. Nothing for one that ended as it should.
import { m } from '#lib/i18n/generated/messages.js';
import type { FailureData } from '#lib/i18n/error-text.ts';
import type { AnswerRow } from '#lib/client/thread-rows.ts';

export type AnswerEnding =
	| {
			readonly kind: 'trouble';
			readonly code: string;
			readonly data: FailureData;
			readonly hasText: boolean;
			readonly isAboutConnection: boolean;
	  }
	| { readonly kind: 'note'; readonly text: string; readonly canResume: boolean; readonly canRetry: boolean };

const connectionCodes = new Set([
	'model-unreachable',
	'model-cors',
	'model-mixed-content',
	'model-key-refused',
	'model-key-missing',
	'model-not-found',
	'model-wrong-address',
	'model-stream-malformed'
]);

export function answerEnding(row: AnswerRow): AnswerEnding | null {
	if (row.isStreaming) return null;
	const { run } = row;
	if (run) {
		// The run left no node of its own: it failed, or was ended, before a word.
		if (run.state === 'failed') return troubleOf(run.errorCode ?? 'model-stream-error', failureData(run.errorData), row.text !== '');
		const text = run.state === 'interrupted' ? m.answer_never_began() : m.answer_stopped_early();
		return { kind: 'note', text, canResume: row.text !== '', canRetry: row.text === '' };
	}
	const last = row.parts.at(-1)?.payload;
	switch (last?.status) {
		case 'stopped':
			return { kind: 'note', text: m.answer_stopped(), canResume: true, canRetry: false };
		case 'interrupted':
			// What was cut off elsewhere is not Bough's to explain.
			return {
				kind: 'note',
				text: last.connectionId.startsWith('imported:') ? m.answer_interrupted_elsewhere() : m.answer_interrupted(),
				canResume: true,
				canRetry: false
			};
		case 'error':
			return last.errorCode === undefined
				? { kind: 'note', text: m.answer_cut(), canResume: true, canRetry: false }
				: troubleOf(last.errorCode, {}, row.text !== '');
		case 'complete':
			return last.stopReason === 'length' ? { kind: 'note', text: m.answer_length(), canResume: false, canRetry: false } : null;
		case undefined:
			return null;
	}
}

function troubleOf(code: string, data: FailureData, hasText: boolean): AnswerEnding {
	return { kind: 'trouble', code, data, hasText, isAboutConnection: connectionCodes.has(code) };
}

function failureData(value: unknown): FailureData {
	if (typeof value !== 'object' || value === null) return {};
	return {
		...('status' in value && typeof value.status === 'number' ? { status: value.status } : {}),
		...('retryAfterMs' in value && typeof value.retryAfterMs === 'number' ? { retryAfterMs: value.retryAfterMs } : {}),
		...('detail' in value && typeof value.detail === 'string' ? { detail: value.detail } : {})
	};
}

/** Model, tokens and time of a finished answer; empty where the provider counted nothing. */
export function answerInfo(row: AnswerRow): string {
	const last = row.parts.at(-1)?.payload;
	if (!last?.usage || last.durationMs === undefined) return '';
	const tokens = row.parts.reduce((sum, part) => sum + (part.payload.usage?.outputTokens ?? 0), 0);
	const number = new Intl.NumberFormat(document.documentElement.lang);
	return m.message_info({
		model: last.model,
		tokens: number.format(tokens),
		seconds: number.format(Math.round(last.durationMs / 100) / 10)
	});
}
