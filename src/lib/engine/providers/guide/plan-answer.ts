// What the Guide answers to a question: help, a demonstration, a greeting, or plainly that it does not know. Pure; the same
// question, locale and variant give the same answer. Runs in the engine worker. SPEC.md GDE-04 to GDE-10.
import { continueRequest } from '#lib/core/context/build-session-context.ts';
import { demoNames, isDemoName, plainAnswer, planDemo, type PlannedAnswer } from './demos.ts';
import { relatedTopics, type HelpLanguage, type HelpTopic } from './help-topics.ts';
import { helpByLanguage, type HelpSearch } from './search-help.ts';

export interface Question {
	readonly text: string;
	/** The language of the interface. */
	readonly locale: string;
	/** How many answers to this question there are already; each gets other words, in turn. */
	readonly variant: number;
}

/** After this many variants the words come round again. */
export const variantCount = 4;

export function planAnswer(search: HelpSearch, question: Question): PlannedAnswer {
	const text = question.text.trim();
	const language = languageOf(text, question.locale);
	const variant = Math.max(0, Math.floor(question.variant));
	const words = wordings[language];
	if (/^\/\w/.test(text)) {
		const [command = '', name = ''] = text.slice(1).toLowerCase().split(/\s+/);
		if (command === 'demo' && isDemoName(name)) return planDemo(name, language, variant);
		if (command !== 'help') return plainAnswer(helpAnswer(['demos'], language, variant));
		return plainAnswer(`${words.overview}\n\n${listOf(['bough', 'tree', 'connect', 'storage', 'demos'], language)}`);
	}
	if (isGreeting(text)) return plainAnswer(`${pick(words.greetings, variant)}\n\n${listOf(['tree', 'connect', 'demos'], language)}`);
	if (isThanks(text)) return plainAnswer(pick(words.thanks, variant));
	if (asksWhoAnswers(text)) return plainAnswer(helpAnswer(['guide'], language, variant));
	const topics = search.find(text);
	if (topics.length > 0) return plainAnswer(helpAnswer(topics, language, variant));
	return plainAnswer(`${pick(words.unknown, variant)}\n\n${words.howToConnect}\n\n${listOf(['connect', 'local', 'guide'], language)}`);
}

/** For a request to go on when nothing was left unsaid, or when what was cut off is not the Guide's. */
export function planNothingToContinue(isOwn: boolean, language: HelpLanguage): PlannedAnswer {
	return plainAnswer(isOwn ? wordings[language].complete : wordings[language].notMine);
}

/** Chinese for Chinese characters, English for English function words, otherwise the language of the interface. */
export function languageOf(text: string, locale: string): HelpLanguage {
	const fallback: HelpLanguage = locale.toLowerCase().startsWith('zh') ? 'zh-CN' : 'en';
	if (text.startsWith('/') || /[\u3040-\u30ff]/u.test(text)) return fallback;
	if (/\p{Script=Han}/u.test(text)) return 'zh-CN';
	const isEnglish =
		/\b(?:a|an|the|is|are|do|does|did|can|could|how|what|where|when|why|who|which|my|your|you|it|i|to|of|in|for|with|this|that|hello|hi|hey|thanks|thank|please|help|not|and)\b/i;
	return isEnglish.test(text) ? 'en' : fallback;
}

/** True for `continue`, `go on`, `继续` and longer requests that say so, such as an instruction to go on where the text was cut; not for questions. */
export function asksToContinue(text: string): boolean {
	return (
		!/[?？]\s*$/.test(text) && /\b(?:continue|carry on|go on|keep going|resume|left off|cut off|broke off)\b|继续|接着|往下/i.test(text)
	);
}

/** True when the text says nothing but that. */
export function isOnlyToContinue(text: string): boolean {
	if (text === continueRequest) return true;
	return /^\s*(?:please\s+)?(?:continue|carry on|go on|keep going|resume)(?:\s+please)?[\s.!]*$|^\s*请?(?:继续|接着|往下)(?:说|写|讲)?[吧\s。！]*$/i.test(
		text
	);
}

function helpAnswer(topics: readonly HelpTopic[], language: HelpLanguage, variant: number): string {
	const [topic] = topics;
	if (topic === undefined) return '';
	const { title, text } = helpByLanguage[language][topic];
	const words = wordings[language];
	const related = [...new Set<HelpTopic>([...topics.slice(1, 2), ...relatedTopics[topic]])].filter((each) => each !== topic).slice(0, 3);
	const opening = pick(words.openings, variant);
	return `${opening === '' ? '' : `${opening}\n\n`}**${title}**\n\n${text}\n\n${pick(words.closings, variant)}\n\n${listOf(related, language)}`;
}

function listOf(topics: readonly HelpTopic[], language: HelpLanguage): string {
	return topics.map((topic) => `- ${helpByLanguage[language][topic].title}`).join('\n');
}

function pick(texts: readonly string[], variant: number): string {
	return texts[variant % texts.length] ?? '';
}

function isGreeting(text: string): boolean {
	return /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|howdy|你好|您好|嗨|哈喽|早上好|下午好|晚上好|早)(?:\s+(?:there|guide|bough))?[\s!.,~！。，～]*$/i.test(
		text
	);
}

function isThanks(text: string): boolean {
	return /^(?:(?:many )?thanks?(?: you)?(?: (?:a lot|so much|very much))?|谢谢(?:你|您)?|多谢|感谢)[\s!.,！。]*$/i.test(text);
}

function asksWhoAnswers(text: string): boolean {
	return /\b(?:who|what) are you\b|\bare you (?:an? )?(?:real|human|person|ai|bot|robot|model|llm|chatgpt|gpt|claude)\b|你是(?:谁|什么|不是|真人|机器人|人|AI|ai|哪)/i.test(
		text
	);
}

interface Wordings {
	readonly overview: string;
	readonly greetings: readonly string[];
	readonly thanks: readonly string[];
	readonly openings: readonly string[];
	readonly closings: readonly string[];
	readonly unknown: readonly string[];
	readonly howToConnect: string;
	readonly complete: string;
	readonly notMine: string;
}

const wordings: Readonly<Record<HelpLanguage, Wordings>> = {
	en: {
		overview: `I am the built-in Guide, not an AI model. Ask me anything about Bough, or send \`/demo\` and one of: ${demoNames.join(', ')}. Good places to begin:`,
		greetings: [
			'Hello! I am the Guide that comes with Bough – not an AI model, but I know my way around here. You could ask me about:',
			'Hello again. What would you like to know about Bough? For instance:',
			'Hi! Still the Guide, still no AI model, and still glad to help. Perhaps with one of these:',
			'Good to see you. Some things that I can tell you about:'
		],
		thanks: ['You are welcome.', 'Gladly.', 'Any time.', 'With pleasure.'],
		openings: ['', 'I know no better words for it, so here they are once more.', 'Once more, then.', 'Here is what I know about it.'],
		closings: ['You could also ask about:', 'It goes well with:', 'Near to it:', 'Next you may want to read:'],
		unknown: [
			'I have no answer to that. I am the built-in Guide, not an AI model: I only know about Bough itself.',
			'I still have no answer to that: asking again does not make a model of me. I only know about Bough.',
			'That is beyond me. I look things up in a small help text about Bough, and this is not in it.',
			'No answer from me here; I am a guide to Bough and nothing more.'
		],
		howToConnect:
			'For any other question connect a model: **Settings → Connections**, then pick it at the composer and send the question again – as a branch of its own, if you like. These help:',
		complete: 'That answer was complete; there is nothing left of it to say.',
		notMine:
			'I am the built-in Guide, and cannot go on with an answer that was not mine. Choose the model that began it, and press Continue again.'
	},
	'zh-CN': {
		overview: `我是内置的向导，不是 AI 模型。关于 Bough 的问题都可以问我，也可以发送 \`/demo\` 加上其中一个：${demoNames.join('、')}。可以从这里开始：`,
		greetings: [
			'你好！我是 Bough 自带的向导，不是 AI 模型，但这里我很熟。你可以问我：',
			'又见面了。想了解 Bough 的什么？比如：',
			'你好！我还是向导，还不是 AI 模型，也还是很乐意帮忙。也许可以从这些开始：',
			'很高兴见到你。我可以讲讲这些：'
		],
		thanks: ['不客气。', '很乐意。', '随时找我。', '应该的。'],
		openings: ['', '换个说法我也没有更好的，所以再说一遍。', '那就再来一次。', '关于这个，我知道的是：'],
		closings: ['你还可以问：', '相关的内容：', '与它相近的：', '接下来也许想看：'],
		unknown: [
			'这个我答不上来。我是内置的向导，不是 AI 模型，只了解 Bough 本身。',
			'这个我还是答不上来：再问一次，我也不会变成模型。我只了解 Bough。',
			'这超出了我的能力。我只会查一份关于 Bough 的简短帮助，里面没有这个。',
			'这里我没有答案；我只是 Bough 的向导。'
		],
		howToConnect: '其他问题请连接一个模型：**设置 → 连接**，然后在输入框旁选择它，再发送一次这个问题，也可以作为单独的分支。这些会有帮助：',
		complete: '那个回答已经完整，没有剩下的内容了。',
		notMine: '我是内置的向导，不能接着写不是我写的回答。请选择开始写它的那个模型，再点继续。'
	}
};
