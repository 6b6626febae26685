// Turns the citation marks of ChatGPT into Markdown links. Runs anywhere. Keeps FMT-17.
// A mark is U+E200, a kind, arguments after U+E202 each, and U+E201: private-use characters that no font shows.
import { isJsonObject, type JsonObject, type JsonValue } from '../std/json.ts';
import { isJsonList, listField, parseJson, stringField } from './foreign-json.ts';

const markOrBracket = / ?(?:\uE200[^\uE200\uE201]*\uE201|【[^【】\n]*】)/g;
const unclosedMark = /\uE200\w*(?:\uE202[\w-]*)*/g;
const strayMark = /[\uE200-\uE202]/g;

/** `text` with each mark replaced by links from `references` (metadata.content_references), or left out when none fits. */
export function replaceCitations(text: string, references: readonly JsonValue[]): string {
	if (!text.includes('\uE200') && !text.includes('【')) return text;
	const linkByMark = new Map<string, string>();
	for (const reference of references) {
		if (!isJsonObject(reference)) continue;
		const mark = stringField(reference, 'matched_text');
		if (mark !== null) linkByMark.set(mark, referenceToMarkdown(reference));
	}
	return text
		.replace(markOrBracket, (match) => {
			const mark = match.startsWith(' ') ? match.slice(1) : match;
			const link = linkByMark.get(mark);
			if (mark.startsWith('【')) return link === undefined || link === '' ? match : ` ${link}`;
			const shown = link === undefined || link === '' ? markToMarkdown(mark) : link;
			if (shown === '') return '';
			return match === mark ? shown : ` ${shown}`;
		})
		.replace(unclosedMark, '')
		.replace(strayMark, '');
}

function referenceToMarkdown(reference: JsonObject): string {
	const sources = [...listField(reference, 'items').filter(isJsonObject), reference];
	const links = sources.map((source) => toLink(stringField(source, 'title'), stringField(source, 'url'))).filter((link) => link !== '');
	if (links.length > 0) return `(${[...new Set(links)].join(', ')})`;
	return stringField(reference, 'name') ?? '';
}

/** What a mark says by itself: the name of an entity, a link, nothing for the others. */
function markToMarkdown(mark: string): string {
	const [kind, first = '', second = ''] = mark.slice(1, -1).split('\uE202');
	if (kind === 'url') return toLink(first, second);
	if (kind !== 'entity') return '';
	const parsed = parseJson(first);
	const name = parsed.ok && isJsonList(parsed.value) ? parsed.value[1] : undefined;
	return typeof name === 'string' ? name : '';
}

/** A Markdown link; empty unless `url` is a plain web address. */
function toLink(title: string | null, url: string | null): string {
	if (url === null || !/^https?:\/\/[^\s<>"\\]+$/i.test(url)) return '';
	const label = (title ?? '').replace(/\s+/g, ' ').trim().slice(0, 200) || url;
	return `[${label.replace(/[[\]\\]/g, '\\$&')}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
