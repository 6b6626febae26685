// The language of a text as far as its script tells, for fonts, line height and voices. Pure, runs anywhere. Keeps MD-41.

const readCharacters = 1000;
/** One Chinese character says about as much as this share of a Latin word's letters. */
const leastShare = 0.2;

/** `zh-CN`, `ja` or `ko`; undefined for every other text, which then has the language of the page. */
export function detectLanguage(text: string): 'zh-CN' | 'ja' | 'ko' | undefined {
	const start = text.slice(0, readCharacters);
	const letters = count(start, /\p{L}/gu);
	const han = count(start, /\p{Script=Han}/gu);
	const kana = count(start, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
	const hangul = count(start, /\p{Script=Hangul}/gu);
	if (letters === 0 || (han + kana + hangul) / letters < leastShare) return undefined;
	if (hangul > han) return 'ko';
	return kana * 10 > han ? 'ja' : 'zh-CN';
}

function count(text: string, pattern: RegExp): number {
	return text.match(pattern)?.length ?? 0;
}
