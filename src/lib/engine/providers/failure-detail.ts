// A provider's own words about a failure, cleaned of keys and cut to size before they are shown or stored.
// Pure; runs anywhere. SPEC.md PRV-17, PRV-18.

const detailLimit = 500;
/** Parts of a key shorter than this are left: they say nothing, and ordinary words would fall to it. */
const shortestKeyPart = 8;
const cut = '[key removed]';

const keyPatterns: readonly RegExp[] = [
	/\b(?:bearer|basic)\s+[^\s"',;]{6,}/gi,
	/\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|csk|fw|tgp|ghp|gho|glpat|eyJ)[-_][\w*.-]{6,}/g,
	/\b(?:AIza|eyJ|AKIA|ya29\.)[\w.-]{10,}/g,
	/\b(?:x-)?api[-_ ]?key["']?\s*[:=]\s*["']?[^\s"',;]{6,}/gi,
	// Keys that a server has masked itself: the few letters it left are no business of ours either.
	/[\w-]*\*{3,}[\w-]*/g,
	/\b(?=\w*\d)(?=\w*[A-Za-z])\w{32,}\b/g
];

/** Null when there is nothing to tell. `key`: the key that was sent, cut out whole and in parts of eight characters or more. */
export function describeFailure(words: unknown, key: string | null): string | null {
	let text = plainText(words);
	if (key !== null) text = cutKey(text, key);
	for (const pattern of keyPatterns) text = text.replace(pattern, cut);
	// Half of a surrogate pair is no character.
	if (text.length > detailLimit) text = `${text.slice(0, detailLimit - 1).replace(/[\ud800-\udbff]$/, '')}…`;
	return text === '' ? null : text;
}

/** The message of an error body in any of the shapes that servers use; the JSON itself where there is none. */
function plainText(words: unknown): string {
	if (typeof words === 'string') {
		const text = /<(?:!doctype|html|body|head)\b/i.test(words)
			? words.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ')
			: words;
		return text.replace(/\s+/g, ' ').trim();
	}
	if (Array.isArray(words)) return plainText(words[0]);
	if (typeof words !== 'object' || words === null) return typeof words === 'number' || typeof words === 'boolean' ? String(words) : '';
	const { message, error, detail } = words as Record<string, unknown>;
	for (const candidate of [message, error, detail]) {
		if (candidate !== undefined && candidate !== null && candidate !== '') return plainText(candidate);
	}
	return JSON.stringify(words);
}

function cutKey(text: string, key: string): string {
	if (key.length < shortestKeyPart) return key === '' ? text : text.replaceAll(key, cut);
	let result = '';
	let rest = text;
	while (rest !== '') {
		let length = 0;
		if (key.includes(rest.slice(0, shortestKeyPart)) && rest.length >= shortestKeyPart) {
			length = shortestKeyPart;
			while (length < rest.length && key.includes(rest.slice(0, length + 1))) length += 1;
		}
		result += length === 0 ? rest.charAt(0) : cut;
		rest = rest.slice(length === 0 ? 1 : length);
	}
	return result;
}
