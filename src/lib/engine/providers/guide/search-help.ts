// Finds the help topic that a question is about, in either language. Pure; runs in the engine worker. SPEC.md GDE-03, GDE-05.
import MiniSearch from 'minisearch';
import { helpChinese } from './help-zh-CN.ts';
import { helpEnglish } from './help-en.ts';
import { helpTopics, type HelpLanguage, type HelpText, type HelpTexts, type HelpTopic } from './help-topics.ts';

export const helpByLanguage: Readonly<Record<HelpLanguage, HelpTexts>> = { en: helpEnglish, 'zh-CN': helpChinese };

export interface HelpSearch {
	/** The best first; empty when no topic covers enough of the question to be an answer. */
	readonly find: (question: string) => readonly HelpTopic[];
}

/** Words that any question holds. */
const emptyWords = new Set(
	(
		'a an the is are was were be been am do does did i you he she it we they my your me us our its this that these those of to in on at for ' +
		'with and or but from by as if so how what where when why which who whom can could should would will shall may might must there here have ' +
		'has had get got let please tell show explain about any some want need like just mean means work works working ' +
		'的 了 吗 呢 啊 吧 我 你 您 他 它 我们 你们 是 在 有 没有 和 与 或 怎么 怎样 如何 什么 为什么 为何 哪里 哪儿 哪个 谁 可以 能 能够 会 请 请问 ' +
		'一个 一下 这 那 这个 那个 把 被 就 都 也 要 想 给 对 很 吗 呀 告诉 知道 关于 办 做 么 里 上 去 来 用 时 时候 意思'
	).split(' ')
);
/** How much of a question a topic must cover: less when its title or its own words match. */
const coverageByTitle = 0.4;
const coverageByText = 0.7;
const fuzzyFromLength = 6;

interface HelpDocument extends HelpText {
	readonly id: string;
}

/** Builds the index at once: some sixty short texts, a few milliseconds. */
export function createHelpSearch(): HelpSearch {
	const index = new MiniSearch<HelpDocument>({
		fields: ['title', 'words', 'text'],
		tokenize: splitIntoWords,
		processTerm: (term) => (emptyWords.has(term) ? null : stemOf(term)),
		searchOptions: {
			boost: { title: 4, words: 3 },
			prefix: (term) => isLatin(term) && term.length >= 4,
			fuzzy: (term) => (isLatin(term) && term.length >= fuzzyFromLength ? 0.2 : false)
		}
	});
	for (const [language, texts] of Object.entries(helpByLanguage)) {
		index.addAll(helpTopics.map((topic) => ({ id: `${topic} ${language}`, ...texts[topic] })));
	}
	return {
		find: (question) => {
			const asked = new Set(
				splitIntoWords(question)
					.filter((word) => !emptyWords.has(word))
					.map(stemOf)
			);
			if (asked.size === 0) return [];
			const topics = new Set<HelpTopic>();
			for (const hit of index.search(question)) {
				const coverage = new Set(hit.queryTerms).size / asked.size;
				const isByTitle = Object.values(hit.match).some((fields) => fields.includes('title') || fields.includes('words'));
				if (coverage >= (isByTitle ? coverageByTitle : coverageByText)) topics.add(String(hit.id).split(' ')[0] as HelpTopic);
			}
			return [...topics];
		}
	};
}

/** Words in lower case, without bare numbers. Chinese has no spaces, so the words come from the dictionary of `Intl.Segmenter`. */
function splitIntoWords(text: string): string[] {
	const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
	return [...segmenter.segment(text.toLowerCase())]
		.filter((part) => part.isWordLike === true && !/^\d+$/.test(part.segment))
		.map((part) => part.segment);
}

/** The same for the forms of an English word, near enough: `deleting`, `deleted`, `delete`. */
function stemOf(word: string): string {
	return isLatin(word) && word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word;
}

function isLatin(word: string): boolean {
	return /^[\w.'’-]+$/.test(word);
}
