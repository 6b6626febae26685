// The content of one ChatGPT message as our blocks. Runs anywhere. Keeps FMT-16 to FMT-19.
import type { ContentBlock } from '../domain/nodes.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../std/json.ts';
import { replaceCitations } from './chatgpt-citations.ts';
import type { Findings } from './findings.ts';
import { listField, objectField, stringField } from './foreign-json.ts';

/** Every block of `message`, in order; text without content is left out. Reports unknown content and absent files. */
export function messageToBlocks(message: JsonObject, findings: Findings): readonly ContentBlock[] {
	const metadata = objectField(message, 'metadata');
	const attachments = listField(metadata, 'attachments').filter(isJsonObject);
	const where = stringField(message, 'id') ?? undefined;
	const blocks: ContentBlock[] = [];
	const shownFiles = new Set<string>();

	const addText = (text: string | null) => {
		const shown = replaceCitations(text ?? '', listField(metadata, 'content_references'));
		if (shown.trim() !== '') blocks.push({ type: 'text', text: shown });
	};
	const addFile = (kind: string, pointer: string) => {
		const id = pointer.replace(/^[a-z-]+:\/\//, '');
		const attachment = attachments.find((candidate) => stringField(candidate, 'id') === id);
		shownFiles.add(id);
		findings.add('file-missing-from-export', where);
		blocks.push({ type: 'missing', kind, name: (attachment && stringField(attachment, 'name')) ?? id });
	};
	const addUnknown = (raw: JsonValue) => {
		findings.add('unknown-content-kept', where);
		blocks.push({ type: 'unknown', raw });
	};
	const addPart = (part: JsonValue) => {
		if (part === null) return;
		if (typeof part === 'string') return addText(part);
		if (!isJsonObject(part)) return addUnknown(part);
		const file = filePointer(part);
		if (file !== null) return addFile(file.kind, file.pointer);
		if (stringField(part, 'content_type') === 'audio_transcription') return addText(stringField(part, 'text'));
		addUnknown(part);
	};

	const content = message['content'];
	if (typeof content === 'string') addText(content);
	else if (isJsonObject(content)) {
		const text = knownText(content);
		if (text !== null) addText(text);
		else if (Array.isArray(content['parts'])) for (const part of listField(content, 'parts')) addPart(part);
		else addPart(content);
	}
	for (const attachment of attachments) {
		const id = stringField(attachment, 'id') ?? stringField(attachment, 'name');
		if (id === null || shownFiles.has(id)) continue;
		addFile((stringField(attachment, 'mime_type') ?? '').startsWith('image/') ? 'image' : 'file', id);
	}
	return blocks;
}

/** The text of the content types that hold nothing but text; null for the others. */
function knownText(content: JsonObject): string | null {
	const text = stringField(content, 'text');
	switch (stringField(content, 'content_type')) {
		case 'text':
		case 'execution_output':
			return text;
		case 'code':
			return fence(text ?? '', stringField(content, 'language') ?? '');
		case 'system_error':
			return [stringField(content, 'name'), text].filter((part) => part !== null).join(': ');
		case 'tether_browsing_display':
			return stringField(content, 'result') || stringField(content, 'summary') || '';
		case 'tether_quote':
		case 'sonic_webpage':
			return [stringField(content, 'title'), stringField(content, 'url'), text ?? stringField(content, 'snippet')]
				.filter((part) => part !== null && part !== '')
				.join('\n\n');
		default:
			return null;
	}
}

/** `code` as a Markdown block whose fence is longer than any in it; empty for no code. */
function fence(code: string, language: string): string {
	if (code.trim() === '') return '';
	const longest = (code.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
	const marks = '`'.repeat(longest + 1);
	return `${marks}${/^[\w+#-]+$/.test(language) && language !== 'unknown' ? language : ''}\n${code}\n${marks}`;
}

function filePointer(part: JsonObject): { kind: string; pointer: string } | null {
	switch (stringField(part, 'content_type')) {
		case 'image_asset_pointer':
			return { kind: 'image', pointer: stringField(part, 'asset_pointer') ?? '' };
		case 'audio_asset_pointer':
			return { kind: 'audio', pointer: stringField(part, 'asset_pointer') ?? '' };
		case 'real_time_user_audio_video_asset_pointer': {
			const audio = objectField(part, 'audio_asset_pointer');
			return { kind: 'audio', pointer: stringField(audio, 'asset_pointer') ?? '' };
		}
		default:
			return null;
	}
}
