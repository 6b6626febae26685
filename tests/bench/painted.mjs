// What a person waits for in the whole app: from the key or the click to the frame that shows it. Production build, real server.
import { chatGptConversation } from '../fixtures/chatgpt-conversation.ts';
import { startServer } from '../../scripts/start-server.mjs';

/** The first rounds load code and fill caches; they are not counted. */
const warmUps = 2;

/** The app in a fresh profile, served by the product's own server; `close` ends that. */
async function openApp(browser) {
	const server = await startServer();
	const context = await browser.newContext({ locale: 'en-US' });
	const page = await context.newPage();
	const open = (path) => page.goto(`${server.origin}${path}`);
	return { page, open, close: async () => context.close().then(() => server.stop()) };
}

/**
 * Milliseconds from the event that `act` causes to the frame in which some element of `selector` has the text `text`. The
 * message that ends the wait is sent in that frame's callback, so it arrives when the frame was drawn.
 */
async function untilPainted(page, { event, selector, text }, act) {
	const painted = page.evaluate(
		({ event, selector, text }) =>
			new Promise((resolve) => {
				let startedAt = 0;
				document.addEventListener(event, ({ timeStamp }) => (startedAt = timeStamp), { once: true, capture: true });
				const drawn = new MessageChannel();
				drawn.port1.onmessage = () => resolve(performance.now() - startedAt);
				const look = () => {
					const isThere = startedAt > 0 && [...document.querySelectorAll(selector)].some((each) => each.textContent?.includes(text));
					if (isThere) drawn.port2.postMessage(null);
					else requestAnimationFrame(look);
				};
				look();
			}),
		{ event, selector, text }
	);
	await act();
	return painted;
}

const turn = (id, parent, text) => ({
	id: `n${id}`,
	parent: parent === null ? null : `n${parent}`,
	role: id % 2 === 0 ? 'user' : 'assistant',
	text
});
const markdown = (name) =>
	`## ${name}\n\nSome prose with **bold** words, \`code\` and a [link](https://example.com), that goes on for a line or two and then ends.\n\n- one\n- two\n- three\n\n\`\`\`ts\nconst answer = 42;\n\`\`\``;

async function bringIn({ page, open }, conversations) {
	await open('/settings/data');
	const buffer = Buffer.from(JSON.stringify(conversations));
	await page.setInputFiles('[data-testid=import-file]', { name: 'conversations.json', mimeType: 'application/json', buffer });
	await page.locator('main a[href*="/t/"]').click({ timeout: 120_000 });
	await page.waitForSelector('article');
}

/** A question sent by key in the whole app. */
export async function sendToPainted(browser, rounds) {
	const app = await openApp(browser);
	const { page } = app;
	await app.open('/');
	const times = [];
	for (let round = 0; round < rounds + warmUps; round++) {
		await page.waitForFunction(() => document.querySelector('#composer') && !document.querySelector('[aria-busy=true]'));
		const text = `question ${round}.`;
		await page.fill('#composer', text);
		const shown = { event: 'keydown', selector: 'article.question .bubble', text };
		times.push(await untilPainted(page, shown, () => page.press('#composer', 'Enter')));
		await page.waitForSelector('article.answer[aria-busy=false]');
	}
	await app.close();
	return times.slice(warmUps);
}

/** A click in the list of conversations that opens one of `messages` messages, from another one of that size and back. */
export async function openToPainted(browser, messages, rounds) {
	const app = await openApp(browser);
	const { page } = app;
	const conversation = (name) =>
		chatGptConversation(
			name,
			Array.from({ length: messages }, (_, at) => turn(at, at === 0 ? null : at - 1, markdown(`${name} ${at}.`))),
			`n${messages - 1}`
		);
	await bringIn(app, [conversation('Ash'), conversation('Birch')]);
	const times = [];
	for (let round = 0; round < rounds + warmUps; round++) {
		const name = round % 2 === 0 ? 'Ash' : 'Birch';
		const other = round % 2 === 0 ? 'Birch' : 'Ash';
		await page.locator('nav').getByRole('link', { name: other }).click();
		await page.locator('article', { hasText: `${other} ${messages - 1}.` }).waitFor();
		await page.waitForTimeout(300);
		const shown = { event: 'click', selector: 'article.answer', text: `${name} ${messages - 1}.` };
		times.push(await untilPainted(page, shown, () => page.locator('nav').getByRole('link', { name }).click()));
	}
	await app.close();
	return times.slice(warmUps);
}

/**
 * `< n/m >` pressed at a message with thirty messages below it in either version, in a tree of `messages` with 500 forks; until
 * the next screenful, five messages, is that of the other version.
 */
export async function switchToPainted(browser, messages, rounds) {
	const app = await openApp(browser);
	const { page } = app;
	const below = 30;
	const forks = 500;
	const trunk = messages - 2 * below - 4 * forks;
	const turns = [];
	const add = (parent, name) => {
		turns.push(turn(turns.length, parent, markdown(`${name} ${turns.length}.`)));
		return turns.length - 1;
	};
	const addChain = (parent, count, name) => {
		let at = parent;
		for (let step = 0; step < count; step++) at = add(at, `${name} step ${step}.`);
		return at;
	};
	const fork = addChain(null, trunk, 'Trunk');
	for (let at = 0; at < forks; at++) addChain(2 * Math.floor((at * (trunk - 20)) / forks / 2) + 1, 4, 'Branch');
	addChain(fork, below, 'left');
	const current = addChain(fork, below, 'right');
	await bringIn(app, [chatGptConversation('Forks', turns, `n${current}`)]);
	const versions = page.locator('article .versions').last();
	await versions.scrollIntoViewIfNeeded();
	const times = [];
	for (let round = 0; round < rounds + warmUps; round++) {
		const [step, name] = round % 2 === 0 ? [-1, 'left'] : [1, 'right'];
		await page.waitForTimeout(600);
		const shown = { event: 'click', selector: 'article', text: `${name} step 4.` };
		times.push(await untilPainted(page, shown, () => versions.locator(`[data-step="${step}"]`).click()));
	}
	await app.close();
	return times.slice(warmUps);
}
