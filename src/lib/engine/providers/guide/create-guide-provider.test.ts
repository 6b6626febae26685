import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { continueRequest } from '#lib/core/context/build-session-context.ts';
import { ModelError, type ModelEvent, type ModelFailure, type ModelMessage, type ModelRequest } from '#lib/core/context/model.ts';
import { createGuideProvider, splitIntoPieces, type GuideDeps } from './create-guide-provider.ts';
import { demoNames } from './demos.ts';
import { helpTopics, relatedTopics, type HelpTopic } from './help-topics.ts';
import { createHelpSearch, helpByLanguage } from './search-help.ts';

const never = new AbortController().signal;
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const guide = (text: string): ModelMessage => ({ role: 'assistant', content: [{ type: 'text', text }] });
const system = (text: string): ModelMessage => ({ role: 'system', content: [{ type: 'text', text }] });

function request(messages: readonly ModelMessage[], locale = 'en'): ModelRequest {
	return { model: 'guide', messages, parameters: {}, locale };
}

function setupGuide(deps: GuideDeps = { msPerWord: 0 }) {
	const provider = createGuideProvider(deps);
	const hear = async (
		asked: ModelRequest,
		signal = never
	): Promise<{ text: string; events: ModelEvent[]; failure: ModelFailure | null }> => {
		const events: ModelEvent[] = [];
		let failure: ModelFailure | null = null;
		try {
			for await (const event of provider.stream(asked, signal)) events.push(event);
		} catch (error) {
			if (!(error instanceof ModelError)) throw error;
			failure = error.failure;
		}
		return { text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''), events, failure };
	};
	const answerTo = async (text: string, locale = 'en'): Promise<string> => (await hear(request([user(text)], locale))).text;
	return { provider, hear, answerTo };
}

describe('the Guide as a provider', () => {
	it('GDE-01 streams like a model and never poses as one', async () => {
		const { provider, hear, answerTo } = setupGuide();
		expect(await provider.listModels(never)).toEqual({ ok: true, value: [{ id: 'guide', displayName: 'Guide', contextWindow: null }] });
		const { events } = await hear(request([user('Hello')]));
		expect(events[0]).toEqual({ type: 'start' });
		expect(events.at(-1)).toEqual({ type: 'end', stopReason: 'stop', usage: null, model: 'guide' });
		expect(events.slice(1, -1).map((event) => event.type)).not.toContain('end');
		for (const question of ['Who are you?', 'Are you an AI?', 'what are you'])
			expect(await answerTo(question)).toContain('not an AI model');
		for (const question of ['你是谁？', '你是AI吗']) expect(await answerTo(question)).toContain('不是 AI 模型');
	});

	it('GDE-02 word by word, with a pause after each', async () => {
		const pauses: number[] = [];
		const { hear } = setupGuide({ msPerWord: 5, sleep: (ms) => Promise.resolve(void pauses.push(ms)) });
		const { text, events } = await hear(request([user('/demo slow')]));
		const pieces = events.filter((event) => event.type === 'text').map((event) => event.text);
		expect(pieces).toEqual(splitIntoPieces(text));
		expect(pieces.slice(0, 3)).toEqual(['This ', 'one ', 'takes ']);
		expect(pauses).toEqual(pieces.map(() => 100));
	});

	it('GDE-02 characters where a script has no spaces', () => {
		const text = '对话是一棵树，每条消息 hang under `another`。\n\n 完';
		expect(splitIntoPieces(text).join('')).toBe(text);
		expect(splitIntoPieces(text).slice(0, 3)).toEqual(['对话', '是一', '棵树']);
		expect(splitIntoPieces('')).toEqual([]);
	});

	it('GDE-12 stopping says nothing more', async () => {
		const controller = new AbortController();
		const { provider, hear } = setupGuide({ msPerWord: 60_000 });
		const hearing = hear(request([user('/demo long')]), controller.signal);
		controller.abort();
		expect(await hearing).toEqual({ text: '', events: [{ type: 'start' }], failure: { code: 'model-aborted' } });
		expect((await hear(request([user('Hello')]), controller.signal)).events).toEqual([]);
		const second = new AbortController();
		const fast = createGuideProvider({ msPerWord: 0 });
		let words = 0;
		const stopped = (async () => {
			for await (const event of fast.stream(request([user('/demo long')]), second.signal)) {
				if (event.type === 'text') words += 1;
				if (words === 10) second.abort();
			}
		})();
		await expect(stopped).rejects.toMatchObject({ failure: { code: 'model-aborted' } });
		expect([words, typeof provider.stream]).toEqual([10, 'function']);
	});
});

describe('what the Guide knows', () => {
	it.each([
		['How do I connect Ollama?', 'ollama'],
		['What is OLLAMA_ORIGINS?', 'ollama'],
		['use LM Studio', 'lmstudio'],
		['llama.cpp server', 'llamacpp'],
		['What does CORS mean?', 'cors'],
		['Where is my data stored?', 'storage'],
		['Can I use it offline?', 'offline'],
		['How can I install the app on my iPhone?', 'install'],
		['What happens when I edit a message?', 'edit'],
		['How do I regenerate an answer?', 'regenerate'],
		['keyboard shortcuts', 'keyboard'],
		['Is my API key safe?', 'keys'],
		['Import my ChatGPT history', 'chatgpt'],
		['import pi sessions', 'pi'],
		['How do I delete a conversation?', 'deleting'],
		['How do I stop an answer?', 'stop'],
		['Can it sync between devices?', 'notYet'],
		['Can I upload images?', 'notYet'],
		['Do you track me? What about privacy?', 'privacy'],
		['How much does it cost?', 'cost'],
		['What do the arrows < 2/3 > mean?', 'versions'],
		['how do I add a provider', 'connect'],
		['怎么连接 Ollama？', 'ollama'],
		['CORS 是什么意思', 'cors'],
		['对话保存在哪里？', 'storage'],
		['没有网络能用吗', 'offline'],
		['怎么安装成应用', 'install'],
		['编辑问题会怎样？', 'edit'],
		['如何重新生成回答', 'regenerate'],
		['有哪些快捷键', 'keyboard'],
		['密钥安全吗', 'keys'],
		['怎么导入 ChatGPT 的对话', 'chatgpt'],
		['怎样删除对话', 'deleting'],
		['支持同步吗', 'notYet'],
		['要多少钱', 'cost'],
		['怎么停止回答', 'stop'],
		['什么是分支', 'tree'],
		['本地模型', 'local']
	] as const)('GDE-03 "%s" is about %s', (question, topic) => {
		expect(createHelpSearch().find(question)[0]).toBe(topic);
	});

	it('GDE-03 every topic is found by its own title, in both languages', () => {
		const search = createHelpSearch();
		const missed = helpTopics.flatMap((topic) =>
			[helpByLanguage.en[topic].title, helpByLanguage['zh-CN'][topic].title].filter((title) => search.find(title)[0] !== topic)
		);
		expect(missed).toEqual([]);
	});

	it('GDE-04 in the language of the question, whatever the interface speaks', async () => {
		const { answerTo } = setupGuide();
		const { en, 'zh-CN': zh } = helpByLanguage;
		expect(await answerTo('How do I connect Ollama?', 'zh-CN')).toContain(en.ollama.text);
		expect(await answerTo('怎么连接 Ollama？', 'en')).toContain(zh.ollama.text);
		expect(await answerTo('Ollama', 'zh-CN')).toContain(zh.ollama.text);
		expect(await answerTo('Ollama', 'en')).toContain(en.ollama.text);
		expect(await answerTo('/demo math', 'zh-CN')).toContain('行内公式');
	});

	it.each([
		['What is the capital of France?', 'no answer', 'Settings → Connections'],
		['Write a haiku about the sea', 'no answer', 'Settings → Connections'],
		['123 + 456', 'no answer', 'Settings → Connections'],
		['法国的首都是哪里？', '答不上来', '设置 → 连接'],
		['给我写一首诗', '答不上来', '设置 → 连接']
	])('GDE-05 "%s" is answered plainly', async (question, plainly, how) => {
		const text = await setupGuide().answerTo(question);
		expect(text).toContain(plainly);
		expect(text).toContain(how);
	});

	it('GDE-06 manners', async () => {
		const { answerTo } = setupGuide();
		expect(await answerTo('hello!')).toMatch(/^Hello! I am the Guide/);
		expect(await answerTo('你好')).toMatch(/^你好！我是/);
		expect(await answerTo('Thank you')).toBe('You are welcome.');
		expect(await answerTo('谢谢')).toBe('不客气。');
		expect(await answerTo('/help')).toContain('/demo');
		expect(await answerTo('/nonsense')).toContain(helpByLanguage.en.demos.text);
	});

	it('GDE-07 every topic leads to others, in both languages', async () => {
		const { answerTo } = setupGuide();
		for (const topic of helpTopics) {
			const related: readonly HelpTopic[] = relatedTopics[topic];
			expect(related.length).toBeGreaterThan(1);
			expect(related).not.toContain(topic);
			for (const texts of Object.values(helpByLanguage)) {
				expect(texts[topic].text.length).toBeGreaterThan(40);
				const lines = (await answerTo(texts[topic].title)).split('\n');
				expect(lines.filter((line) => line.startsWith('- ')).length).toBeGreaterThan(1);
			}
		}
	});

	it('GDE-07 the help stays small', () => {
		const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8').replace(/^\t+/gm, '');
		expect(gzipSync(read('./help-en.ts') + read('./help-zh-CN.ts'), { level: 9 }).length).toBeLessThan(10_500);
		expect(helpTopics.length).toBeGreaterThanOrEqual(25);
	});
});

describe('demonstrations', () => {
	it('GDE-08 each shows what its name says', async () => {
		const { answerTo } = setupGuide();
		const shown = Object.fromEntries(await Promise.all(demoNames.map(async (name) => [name, await answerTo(`/demo ${name}`)] as const)));
		expect(shown['markdown']).toMatch(/^# [\s\S]*- \[x\][\s\S]*\n> /);
		expect(shown['code']).toMatch(/```ts\n[\s\S]*```/);
		expect(shown['table']).toMatch(/\| --- \|/);
		expect(shown['math']).toMatch(/\$\$\n[\s\S]*\$\$/);
		expect((shown['long'] ?? '').split('\n## ').length).toBe(61);
		expect(shown['branches']).toContain('Regenerate');
		expect(shown['stream']).not.toBe('');
		expect(shown['slow']).toContain('Continue');
		for (const name of demoNames) expect(await answerTo('/demo')).toContain(`\`${name}\``);
	});

	it('GDE-09 the error breaks off, and goes on when continued', async () => {
		const { hear } = setupGuide();
		const broken = await hear(request([user('/demo error')]));
		expect(broken.failure).toEqual({ code: 'model-stream-error', detail: '/demo error' });
		expect(broken.text).toMatch(/because $/);
		const rest = await hear(request([user('/demo error'), guide(broken.text), user('Continue')]));
		expect(rest.failure).toBeNull();
		expect(rest.text).toMatch(/^that is what/);
	});

	it('GDE-09 the rate limit refuses once', async () => {
		const { hear } = setupGuide();
		const asked = request([user('/demo rate-limit')]);
		const first = await hear(asked);
		expect(first.failure).toMatchObject({ code: 'model-rate-limited', status: 429, retryAfterMs: 2000 });
		expect(first.events).toEqual([]);
		expect((await hear(asked)).text).toContain('This time it worked');
	});

	it('GDE-10 the same request again gets other words, in turn', async () => {
		for (const question of ['/demo branches', 'How do I edit a message?', 'What is the capital of France?', '你好']) {
			const { answerTo } = setupGuide();
			const answers: string[] = [];
			for (let time = 0; time < 5; time += 1) answers.push(await answerTo(question));
			expect(new Set(answers).size).toBe(4);
			expect(answers[4]).toBe(answers[0]);
		}
	});

	it('GDE-10 a question earlier on the path counts, a seed decides', async () => {
		const asked = user('/demo branches');
		const first = await setupGuide().answerTo('/demo branches');
		const again = await setupGuide().hear(request([asked, guide(first), asked]));
		expect(again.text).toContain('second');
		const seeded = request([system('guide-variant:2'), asked]);
		const { hear } = setupGuide();
		expect((await hear(seeded)).text).toContain('third');
		expect((await hear(seeded)).text).toContain('third');
	});
});

describe('going on', () => {
	it.each(['/demo long', 'What happens when I edit a message?', '怎么连接 Ollama？'])(
		'GDE-11 "%s" goes on from any place',
		async (question) => {
			const { hear, answerTo } = setupGuide();
			await answerTo(question);
			const whole = await answerTo(question);
			for (const cut of [1, 17, Math.floor(whole.length / 2), whole.length - 1]) {
				const rest = await hear(request([user(question), guide(whole.slice(0, cut)), user(continueRequest)]));
				expect(whole.slice(0, cut) + rest.text).toBe(whole);
			}
		}
	);

	it('GDE-11 the second time, without a request, and with blanks lost', async () => {
		const { hear, answerTo } = setupGuide();
		const whole = await answerTo('/demo slow');
		const twice = [user('/demo slow'), guide(whole.slice(0, 20)), user('继续'), guide(whole.slice(20, 50)), user('continue')];
		expect((await hear(request(twice))).text).toBe(whole.slice(50));
		expect((await hear(request([user('/demo slow'), guide(whole.slice(0, 30))]))).text).toBe(whole.slice(30));
		expect((await hear(request([user('/demo slow'), user(continueRequest)]))).text).toBe(whole);
		expect(whole.slice(0, 5)).toBe('This ');
		expect((await hear(request([user('/demo slow'), guide('This '.trimEnd()), user('continue')]))).text).toBe(whole.slice(4));
	});

	it('GDE-11 nothing is left, or it is not its own', async () => {
		const { hear, answerTo } = setupGuide();
		const whole = await answerTo('/demo math');
		expect((await hear(request([user('/demo math'), guide(whole), user('continue')]))).text).toContain('complete');
		expect((await hear(request([user('/demo math'), guide(whole), user(continueRequest)]))).text).toContain('complete');
		expect((await hear(request([user('Hello'), guide('As a large language'), user('continue')]))).text).toContain('not mine');
		const asked = await hear(request([user('/demo math'), guide(whole), user('How do I continue an interrupted answer?')]));
		expect(asked.text).toContain(helpByLanguage.en.resume.title);
	});
});
