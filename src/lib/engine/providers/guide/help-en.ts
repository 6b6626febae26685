// What the Guide knows, in English. Keep it true: every sentence speaks of what the product does today.
import type { HelpTexts } from './help-topics.ts';

export const helpEnglish: HelpTexts = {
	bough: {
		title: 'What Bough is',
		words: 'about app product introduction overview start begin started help features purpose do',
		text: 'Bough is a place to talk with AI models in your browser. Every conversation is a tree: nothing you or a model wrote is thrown away when you try something else. You bring the model – one that runs on this computer, or a provider that you have a key for – and everything is kept on this device.'
	},
	guide: {
		title: 'What the Guide is',
		words: 'who you are robot human real llm gpt intelligence chatbot assistant think',
		text: 'I am the built-in Guide. I am **not an AI model**: I look up short help texts and show demonstrations, the same way every time, without any network. I cannot write, reason or translate for you. For that, connect a model; I stay here for questions about Bough.'
	},
	tree: {
		title: 'The conversation tree and its branches',
		words: 'branch branching fork root history structure thread lost',
		text: 'Each message hangs under the one that it answers. Where one has several answers, or was asked in several ways, the conversation forks. You read one path, from the beginning to a leaf; the other branches wait, complete, until you switch to them. A model only sees the path that you are on.'
	},
	edit: {
		title: 'Editing a question makes a branch',
		words: 'correct rewrite rephrase message prompt typo modify pencil',
		text: 'Press **Edit** under a question of yours, change it and send. The old question and everything below it stays as it was; your new wording becomes a second version beside it, with an answer of its own. Move between the two with `< 1/2 >`.'
	},
	regenerate: {
		title: 'Regenerate: another answer',
		words: 'retry again redo different response reroll repeat',
		text: 'Press **Regenerate** under an answer to get another one for the same question. The first answer is kept: both stand beside each other as versions, and `< 2/2 >` shows that you are reading the new one.'
	},
	versions: {
		title: 'Switching with < n/m >',
		words: 'switcher sibling alternative back previous next compare difference diff side',
		text: 'When a message has versions, you see `< n/m >` under it: *n* is the one that you are reading, *m* how many there are. The arrows go to the one before and after. What follows below changes with it: each version has its own continuation. **More → Compare with the previous version** sets both branches side by side, with the words marked that differ.'
	},
	sending: {
		title: 'Writing and sending',
		words: 'newline break send message compose composer ime queue type',
		text: '**Enter** sends, **Shift+Enter** begins a new line. With a Chinese or Japanese input method, the Enter that picks a word never sends. On a touch keyboard Enter breaks the line, and the button sends. What you have not sent yet is kept as a draft.'
	},
	keyboard: {
		title: 'Keyboard',
		words: 'shortcut keys hotkey keybinding accessibility screen reader focus escape',
		text: 'Everything can be done without a mouse: **Tab** moves, **Enter** presses, **Esc** stops an answer or closes what is open. Press **?** outside a text field to see all shortcuts.'
	},
	formatting: {
		title: 'Markdown, code and formulas',
		words: 'block latex formula highlight render bold list format',
		text: 'Answers are shown as Markdown: headings, lists, tables, code with colours and a copy button, and formulas between `$` signs. See `/demo markdown` and `/demo math`.'
	},
	storage: {
		title: 'Where conversations are kept',
		words: 'save stored disk location backup clear lose persist quota space cloud',
		text: "Everything is kept on this device, in this browser's own database (IndexedDB). There is no account and no cloud. Other browsers, profiles and devices do not see it – and clearing this site's data in the browser deletes it. What you send is saved before it counts as sent, a running answer every moment or two."
	},
	offline: {
		title: 'Working offline',
		words: 'internet connection plane airplane no wifi online',
		text: 'After the first visit Bough opens without a network. You can read, edit, switch branches and delete as always. I answer offline, and so does a model on this computer. A hosted model needs the network; until it is back, its questions fail with a message that says so, and nothing is lost.'
	},
	install: {
		title: 'Installing Bough as an app',
		words: 'pwa desktop phone icon download android',
		text: 'In Chrome or Edge use the install button in the address bar. In Safari on a Mac choose *File → Add to Dock*; on an iPhone or iPad *Share → Add to Home Screen*. It is the same app with the same data as in that browser, in a window of its own.'
	},
	connect: {
		title: 'Connecting a real model',
		words: 'provider connect setup set up configure llm ai chatgpt gpt claude gemini deepseek endpoint url api',
		text: 'Open **Settings → Connections** and add one. A connection is an address that speaks the OpenAI format (Chat Completions), and a key if the server wants one. You can use a program on this computer such as Ollama, LM Studio or llama.cpp, or a hosted provider. Then press **Test**, and pick the model for your conversation.'
	},
	local: {
		title: 'Models on this computer',
		words: 'own machine localhost find search detect free self hosted private download',
		text: 'A model server on this computer costs nothing and sends nothing away. In **Settings → Connections** let Bough look for one: it asks the usual ports (Ollama 11434, LM Studio 1234, llama.cpp 8080, Jan 1337, vLLM 8000), and only when you press the button. Your browser may ask whether this site may reach your local network; say yes.'
	},
	ollama: {
		title: 'Connecting Ollama',
		words: 'origins 11434 llama run serve environment variable',
		text: 'Install Ollama and fetch a model, for instance `ollama pull qwen3`. Address: `http://localhost:11434/v1`, no key. If Bough is not opened from localhost, Ollama must allow its address: start it with `OLLAMA_ORIGINS` set to the address of this page, such as `OLLAMA_ORIGINS=https://bough.example`, and restart Ollama.'
	},
	lmstudio: {
		title: 'Connecting LM Studio',
		words: 'lmstudio 1234',
		text: 'In LM Studio load a model, open the *Developer* page, start the server and switch on **Enable CORS**. Address: `http://localhost:1234/v1`, no key. If long conversations fail, load the model with a longer context there.'
	},
	llamacpp: {
		title: 'Connecting llama.cpp',
		words: 'llamacpp gguf llama cpp',
		text: 'Start `llama-server -m model.gguf --port 8080`. Address: `http://localhost:8080/v1`; no key, unless you started it with `--api-key`. It lets browser pages in by itself. Its context length is set at the start with `-c`.'
	},
	hosted: {
		title: 'Connecting a hosted provider',
		words: 'openai groq mistral deepseek gemini cloud remote api base url',
		text: 'Any provider with an OpenAI-compatible address will do, if it lets browser pages call it. Copy the address from its documentation, such as `https://openrouter.ai/api/v1`, paste your key, press **Test**. Your messages then go straight from this browser to that provider.'
	},
	cors: {
		title: 'What CORS means',
		words: 'origin blocked cross-origin preflight access control refuses mixed content security policy',
		text: 'A browser shows a page the answers of another server only if that server allows it. That permission is called CORS, and only the server can give it. So "the server is there but lets no page read its answers" is changed at the server: `OLLAMA_ORIGINS` for Ollama, *Enable CORS* in LM Studio. A page opened with https may also not call a plain http address, except on this very computer.'
	},
	keys: {
		title: 'Keys, and where they are kept',
		words: 'api secret token password safe security leak steal encrypted',
		text: 'A key is stored in this browser, apart from your conversations, and only the part of Bough that calls the provider reads it; it is never shown again and never leaves for any other address. Still, whoever can use this browser profile, or a malicious extension, could use it: give it a spending limit.'
	},
	testing: {
		title: 'Testing a connection',
		words: 'check verify works working button diagnose broken fails',
		text: '**Test** asks the server for its models and then for one word. It tells which step failed and why: nobody answers at that address, CORS, the key, a model that is not there. It also shows how long the first word took.'
	},
	errors: {
		title: 'When an answer fails',
		words: 'error failed failure problem wrong rate limit timeout',
		text: 'The message says what happened. *Too many requests*: wait a little. *Quota used up*: look at your account with the provider. *Key refused*: paste it again. *Too long*: begin a new conversation, or branch from an earlier message. *Broken off* or *silent*: what arrived is kept; continue it or regenerate. Your question is never lost.'
	},
	cost: {
		title: 'What it costs',
		words: 'price money pay billing subscription expensive charge',
		text: 'Bough is free and has no account. A model on this computer is free too. A hosted provider bills you for the tokens that you use, under its own terms; a long conversation is sent again with every question, so it costs more.'
	},
	chatgpt: {
		title: 'Importing from ChatGPT',
		words: 'openai old history bring move migrate',
		text: 'In ChatGPT ask for your data (*Settings → Data controls → Export*). You get a zip by mail. In Bough open **Import** and choose that zip, or the `conversations.json` inside it. Branches come along as branches. Importing the same file twice does not double anything.'
	},
	pi: {
		title: 'Importing pi sessions',
		words: 'jsonl terminal',
		text: 'Sessions of the coding agent pi are `.jsonl` files, in `~/.pi/agent/sessions` as a rule. Open **Import** and choose one or more. The tree of the session, with its branches and labels, becomes a conversation here.'
	},
	deleting: {
		title: 'Deleting',
		words: 'delete erase trash wipe restore',
		text: 'A message or a whole conversation can be deleted from its menu. You can undo it right afterwards. To remove everything, clear this site’s data in the browser. There is no copy elsewhere.'
	},
	stop: {
		title: 'Stopping an answer',
		words: 'cancel abort halt interrupt pause running generating end escape',
		text: 'Press **Stop**, or **Esc**, while an answer is being written. What has arrived stays as a message, marked as stopped. You can continue it, regenerate it, or go on with your next question.'
	},
	resume: {
		title: 'Going on after a break',
		words: 'resume interrupted crash reload recover lost unfinished half restart',
		text: 'When the tab was closed or the line broke, the part that had arrived is kept, at most a second or two short. **Continue** asks the model to go on from there, and both parts read as one answer. **Regenerate** begins anew.'
	},
	notYet: {
		title: 'What is not there yet',
		words: 'missing roadmap future sync attachment file image upload search plugin voice limitations',
		text: 'Not there yet: syncing between devices, attaching files and pictures, searching through everything, and tools that a model may use. They are planned.'
	},
	privacy: {
		title: 'Privacy',
		words: 'private track telemetry analytics data third party spy',
		text: 'Bough has no server that sees your conversations, no account, no tracking. A message leaves this device only when you send it to a model that is elsewhere: then that provider gets the path that you are on. With a model on this computer, or with me, nothing leaves at all.'
	},
	demos: {
		title: 'Demonstrations',
		words: 'demo example try sample command',
		text: 'Send `/demo` and one of these words, and watch: `stream`, `long`, `markdown`, `code`, `table`, `math`, `error`, `rate-limit`, `slow`, `branches`. All are scripted.'
	}
};
