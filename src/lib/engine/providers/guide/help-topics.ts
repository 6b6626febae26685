// What the Guide can tell about, and what else is worth reading with it. Pure; runs anywhere.

export interface HelpText {
	readonly title: string;
	/** Words that people ask with and that the text does not hold; for the search only. */
	readonly words: string;
	readonly text: string;
}

export type HelpLanguage = 'en' | 'zh-CN';

/** Related topics by topic: each language has a text for every key. */
export const relatedTopics = {
	bough: ['tree', 'connect', 'privacy'],
	guide: ['connect', 'notYet', 'demos'],
	tree: ['edit', 'regenerate', 'versions'],
	edit: ['tree', 'versions', 'regenerate'],
	regenerate: ['versions', 'edit', 'stop'],
	versions: ['tree', 'edit', 'keyboard'],
	sending: ['keyboard', 'stop', 'edit'],
	keyboard: ['sending', 'versions', 'stop'],
	formatting: ['demos', 'sending'],
	storage: ['privacy', 'offline', 'deleting'],
	offline: ['install', 'storage', 'local'],
	install: ['offline', 'storage'],
	connect: ['local', 'hosted', 'testing'],
	local: ['ollama', 'lmstudio', 'llamacpp'],
	ollama: ['cors', 'testing', 'local'],
	lmstudio: ['cors', 'testing', 'local'],
	llamacpp: ['cors', 'testing', 'local'],
	hosted: ['keys', 'cors', 'cost'],
	cors: ['ollama', 'lmstudio', 'testing'],
	keys: ['privacy', 'hosted', 'cost'],
	testing: ['cors', 'errors', 'keys'],
	errors: ['testing', 'cors', 'resume'],
	cost: ['keys', 'local', 'hosted'],
	chatgpt: ['pi', 'tree', 'storage'],
	pi: ['chatgpt', 'tree', 'storage'],
	deleting: ['storage', 'versions'],
	stop: ['resume', 'regenerate'],
	resume: ['stop', 'errors', 'storage'],
	notYet: ['bough', 'guide'],
	privacy: ['storage', 'keys', 'local'],
	demos: ['guide', 'formatting', 'tree']
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type HelpTopic = keyof typeof relatedTopics;
export type HelpTexts = Readonly<Record<HelpTopic, HelpText>>;

export const helpTopics = Object.keys(relatedTopics) as readonly HelpTopic[];
