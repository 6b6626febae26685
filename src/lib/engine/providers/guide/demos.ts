// The Guide's demonstrations: scripted, the same every time, in both languages. Pure; runs anywhere. SPEC.md GDE-08 to GDE-10.
import type { ModelFailure } from '#lib/core/context/model.ts';
import type { HelpLanguage } from './help-topics.ts';

export const demoNames = ['stream', 'long', 'markdown', 'code', 'table', 'math', 'error', 'rate-limit', 'slow', 'branches'] as const;
export type DemoName = (typeof demoNames)[number];

/** An answer before it is streamed. */
export interface PlannedAnswer {
	readonly text: string;
	/** Times slower than usual. */
	readonly slowness: number;
	/** Thrown instead of an answer. */
	readonly refusal: ModelFailure | null;
	/** Thrown when the stream passes this index of `text`; an answer that continues from there goes on to its end. */
	readonly breakAt: number | null;
}

export function plainAnswer(text: string): PlannedAnswer {
	return { text, slowness: 1, refusal: null, breakAt: null };
}

/** `variant`: how many answers to this question there are already. */
export function planDemo(name: DemoName, language: HelpLanguage, variant: number): PlannedAnswer {
	const texts = demoTexts[language];
	switch (name) {
		case 'stream':
		case 'markdown':
			return plainAnswer(texts[name]);
		case 'slow':
			return { ...plainAnswer(texts.slow), slowness: 20 };
		case 'long':
			return plainAnswer(longText(language));
		case 'code':
			return plainAnswer(`${texts.code}\n\n${code}`);
		case 'table':
			return plainAnswer(`${texts.tableIntro}\n\n${texts.table}`);
		case 'math':
			return plainAnswer(`${texts.math}\n\n${formulas}`);
		case 'error':
			return { ...plainAnswer(texts.error + texts.afterError), breakAt: texts.error.length };
		case 'rate-limit':
			if (variant > 0) return plainAnswer(texts.afterRateLimit);
			return { ...plainAnswer(''), refusal: { code: 'model-rate-limited', status: 429, retryAfterMs: 2000, detail: texts.rateLimit } };
		case 'branches':
			return plainAnswer(texts.branches[variant % texts.branches.length] ?? '');
	}
}

export function isDemoName(name: string): name is DemoName {
	return (demoNames as readonly string[]).includes(name);
}

const longParagraphs = 60;

/** Long enough to scroll, to stop and to continue: sixty numbered sections. */
function longText(language: HelpLanguage): string {
	const { longIntro, longTitle, longBodies } = demoTexts[language];
	const sections = Array.from(
		{ length: longParagraphs },
		(_, index) => `## ${longTitle} ${index + 1}\n\n${longBodies[index % longBodies.length] ?? ''}`
	);
	return [longIntro, ...sections].join('\n\n');
}

const code = `\`\`\`ts
type Message = { id: string; parentId: string | null; text: string };

/** From the root to \`leafId\`: what a model gets to see. */
function pathTo(leafId: string, byId: Map<string, Message>): Message[] {
	const path: Message[] = [];
	for (let at = byId.get(leafId); at !== undefined; at = at.parentId === null ? undefined : byId.get(at.parentId)) {
		path.unshift(at);
	}
	return path;
}
\`\`\`

\`\`\`bash
OLLAMA_ORIGINS=http://localhost:4173 ollama serve
\`\`\``;

const formulas = `$$
\\sum_{k=0}^{n} \\binom{n}{k} = 2^n \\qquad \\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
$$

$$
A = \\begin{pmatrix} \\cos\\theta & -\\sin\\theta \\\\ \\sin\\theta & \\cos\\theta \\end{pmatrix}
$$`;

interface DemoTexts {
	readonly stream: string;
	readonly slow: string;
	readonly markdown: string;
	readonly code: string;
	readonly tableIntro: string;
	readonly table: string;
	readonly math: string;
	readonly error: string;
	readonly afterError: string;
	readonly rateLimit: string;
	readonly afterRateLimit: string;
	readonly branches: readonly string[];
	readonly longIntro: string;
	readonly longTitle: string;
	readonly longBodies: readonly string[];
}

const demoTexts: Readonly<Record<HelpLanguage, DemoTexts>> = {
	en: {
		stream:
			'This text comes word by word, the way a model writes. While it does, you can scroll, write your next question, open another conversation, or stop it with **Esc**. Every second or so it is saved, so that closing the tab now would lose next to nothing.',
		slow: 'This one takes its time, three words a second. Press **Stop** somewhere in the middle; then **Continue**, and watch it go on from the very word where it was cut.',
		markdown:
			'# A heading\n\nSome **bold**, some *emphasis*, some `code`, and a [link](https://commonmark.org).\n\n## A list\n\n1. First\n2. Second\n   - inside\n   - another\n3. Third\n\n- [x] done\n- [ ] still to do\n\n> A quotation, over\n> two lines.\n\n---\n\n~~Struck out~~, and that is all.',
		code: 'Two blocks of code; the button in the corner copies one.',
		tableIntro: 'What the switcher under a message tells:',
		table:
			'| You see | It means |\n| --- | --- |\n| nothing | one version only |\n| `< 1/2 >` | the first of two |\n| `< 2/2 >` | the second of two |\n| `< 3/7 >` | you were curious |',
		math: 'A formula in the line, $e^{i\\pi} + 1 = 0$, and some that stand alone:',
		error: 'This answer will break off in the middle of a sentence, as if the server had crashed, because ',
		afterError: 'that is what a demonstration of errors is for. What had arrived was kept, and this is the rest of it.',
		rateLimit: 'A demonstration: too many requests, please wait two seconds.',
		afterRateLimit:
			'This time it worked. The first try was refused for too many requests; such refusals are tried again after the wait that the server asks for.',
		branches: [
			'This is the **first** answer. Now press **Regenerate** below it: a second one appears beside it, and `< 2/2 >` tells you that there are two. Or press **Edit** on your question, change a word and send: that makes a branch one level higher.',
			'Here is a **second** answer to the same question – in other words, as you see. The first has gone nowhere: use `<` to look at it. Each of the two can have its own continuation; write something here, and then something else over there.',
			'A **third** version. The tree now has a fork with three branches, and you are reading one of them. Whatever you write next belongs to this branch alone.',
			'And another one, the **fourth** in words, should you have counted. After this I begin again from the front; the branches themselves have no such limit.'
		],
		longIntro: 'Sixty short sections, to scroll through, to stop, and to continue.',
		longTitle: 'Section',
		longBodies: [
			'A tree grows at its tips. What has grown stays, ring upon ring, and the newest leaf hangs on all that came before it.',
			'A conversation that forgets its detours forgets half of its thinking. Keep the detours; they cost little.',
			'Going back is no loss when the way forward is kept. From any fork you can see both paths, and walk either.',
			'Nothing here was thought up just now: these sentences repeat, so that you can see where one ends and the next begins.',
			'Try the stop button in this section or the next. The text will stay as far as it came.'
		]
	},
	'zh-CN': {
		stream:
			'这段文字一点一点地出现，就像模型在写。同时你可以滚动、写下一个问题、打开另一个对话，或者按 **Esc** 停止。它每隔一两秒保存一次，所以现在关掉标签页也几乎不会丢什么。',
		slow: '这一段写得很慢。在中间某处点**停止**，再点**继续**，看它从断开的那个字接着写下去。',
		markdown:
			'# 标题\n\n**粗体**、*强调*、`代码`，还有一个[链接](https://commonmark.org)。\n\n## 列表\n\n1. 第一\n2. 第二\n   - 里面\n   - 还有\n3. 第三\n\n- [x] 已完成\n- [ ] 待办\n\n> 一段引用，\n> 分成两行。\n\n---\n\n~~删除线~~，到此为止。',
		code: '两段代码；角上的按钮可以复制。',
		tableIntro: '消息下面的切换器表示：',
		table:
			'| 你看到 | 意思 |\n| --- | --- |\n| 没有 | 只有一个版本 |\n| `< 1/2 >` | 两个中的第一个 |\n| `< 2/2 >` | 两个中的第二个 |\n| `< 3/7 >` | 你很好奇 |',
		math: '行内公式 $e^{i\\pi} + 1 = 0$，以及单独成行的公式：',
		error: '这个回答会在句子中间断开，就像服务器崩溃了一样，因为',
		afterError: '演示错误就是为了这个。断开之前收到的部分已经保留，这是剩下的部分。',
		rateLimit: '演示：请求太多，请等两秒。',
		afterRateLimit: '这次成功了。第一次因为请求太多被拒绝；遇到这种拒绝，会按服务器要求等待后再试。',
		branches: [
			'这是**第一个**回答。现在点它下面的**重新生成**：旁边会出现第二个，`< 2/2 >` 表示一共有两个。也可以在你的问题上点**编辑**，改一个字再发送：这样会在上一层产生分支。',
			'这是同一个问题的**第二个**回答，你看，说法不一样了。第一个并没有消失：点 `<` 就能看到。两个回答可以各有后续：在这里写点什么，再到那边写点别的。',
			'**第三个**版本。现在这棵树有一个分成三支的岔口，你正在读其中一支。接下来写的内容只属于这一支。',
			'又一个，如果你在数的话，这是**第四个**。之后我会从头再来；分支本身没有这样的限制。'
		],
		longIntro: '六十个小节，可以滚动、停止、继续。',
		longTitle: '小节',
		longBodies: [
			'树在枝梢生长。长成的都留着，一圈又一圈，最新的叶子挂在之前的一切之上。',
			'忘掉弯路的对话，也就忘掉了一半的思考。留着弯路吧，它们占不了多少地方。',
			'前面的路还在，回头就不是损失。站在任何一个岔口，两条路都看得见，也都走得通。',
			'这些话并不是现在才想出来的：它们会重复，好让你看清一节在哪里结束、下一节从哪里开始。',
			'在这一节或下一节试试停止按钮。文字会停在它到达的地方。'
		]
	}
};
