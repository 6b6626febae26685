// The built-in Guide as a way to a "model": no network, no key, no intelligence, and it says so. It keeps the whole contract of
// a provider – streams, stops, fails, continues – so that everything else works on a fresh device. Runs in the engine worker.
// SPEC.md GDE-01, GDE-02, GDE-09 to GDE-12.
import { ModelError, type ModelEvent, type ModelMessage, type ModelProvider, type ModelRequest } from '#lib/core/context/model.ts';
import { ok } from '#lib/core/std/result.ts';
import type { PlannedAnswer } from './demos.ts';
import { asksToContinue, isOnlyToContinue, languageOf, planAnswer, planNothingToContinue, variantCount } from './plan-answer.ts';
import { createHelpSearch, type HelpSearch } from './search-help.ts';

export interface GuideDeps {
	/** Pause after each word, or each two characters of a script without spaces; 0 for none. About 60 words a second unless said otherwise. */
	readonly msPerWord?: number;
	/** Resolves after `ms`; may reject, or resolve early, when `signal` is aborted. */
	readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const guideModel = 'guide';

const defaultMsPerWord = 1000 / 60;
/** Without pauses the loop still lets others run, so that a stop is heard. */
const wordsWithoutBreath = 64;
const rememberedQuestions = 200;

interface Start {
	readonly plan: PlannedAnswer;
	/** Index of `plan.text` where this answer begins; above 0 when it continues one that was cut off. */
	readonly from: number;
}

/**
 * Which of the variants an answer is, is the number of answers to the same question before it: `guide-variant:<n>` in a
 * system message says so outright; otherwise it is how often the question stands earlier on the path plus how often this
 * provider was sent this very request (regenerating sends the same request again). The provider remembers that for the newest
 * 200 requests and as long as it lives, and nothing else; after a restart the words begin again from the first variant.
 */
export function createGuideProvider(deps: GuideDeps = {}): ModelProvider {
	const { msPerWord = defaultMsPerWord, sleep = sleepFor } = deps;
	const timesByRequest = new Map<string, number>();
	let search: HelpSearch | null = null;

	const countRequest = (request: ModelRequest): number => {
		const key = fingerprintOf(JSON.stringify(request.messages));
		const times = timesByRequest.get(key) ?? 0;
		timesByRequest.delete(key);
		timesByRequest.set(key, times + 1);
		const [oldest] = timesByRequest.keys();
		if (timesByRequest.size > rememberedQuestions && oldest !== undefined) timesByRequest.delete(oldest);
		return times;
	};

	async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
		throwIfAborted(signal);
		search ??= createHelpSearch();
		const { plan, from } = planStart(search, request, () => countRequest(request));
		if (plan.refusal !== null) throw new ModelError(plan.refusal);
		yield { type: 'start' };
		let at = from;
		let words = 0;
		for (const piece of splitIntoPieces(plan.text.slice(from))) {
			const pauseMs = msPerWord * plan.slowness;
			if (pauseMs > 0 || words % wordsWithoutBreath === 0) await sleep(pauseMs, signal);
			throwIfAborted(signal);
			yield { type: 'text', text: piece };
			at += piece.length;
			words += 1;
			if (plan.breakAt !== null && from < plan.breakAt && at >= plan.breakAt) {
				throw new ModelError({ code: 'model-stream-error', detail: '/demo error' });
			}
		}
		throwIfAborted(signal);
		yield { type: 'end', stopReason: 'stop', usage: null, model: guideModel };
	}

	return {
		stream,
		listModels: () => Promise.resolve(ok([{ id: guideModel, displayName: 'Guide', contextWindow: null }]))
	};
}

interface BrokenAnswer {
	readonly question: string;
	/** What has been said of the answer. */
	readonly text: string;
	/** The newest message asks for nothing else. */
	readonly isOnlyToContinue: boolean;
}

/** The answer to the newest question; or, when a cut-off answer of the Guide's is to be continued, that answer and the place of the cut. */
function planStart(search: HelpSearch, request: ModelRequest, timesBefore: () => number): Start {
	const { locale } = request;
	const said = request.messages.filter((message) => message.role === 'user' || message.role === 'assistant');
	const broken = findBrokenAnswer(said);
	if (broken !== null) {
		for (let variant = 0; variant < variantCount; variant += 1) {
			const plan = planAnswer(search, { text: broken.question, locale, variant });
			const from = lengthOfBeginning(plan.text, broken.text);
			if (from !== null && from < plan.text.length) return { plan, from };
			if (from !== null && broken.isOnlyToContinue)
				return { plan: planNothingToContinue(true, languageOf(broken.question, locale)), from: 0 };
		}
		if (broken.isOnlyToContinue) return { plan: planNothingToContinue(false, languageOf(broken.question, locale)), from: 0 };
	}
	const text = textOf(said.findLast((message) => message.role === 'user'));
	const variant =
		readVariant(request.messages) ??
		said.slice(0, -1).filter((message) => message.role === 'user' && textOf(message) === text).length + timesBefore();
	return { plan: planAnswer(search, { text, locale, variant }), from: 0 };
}

/**
 * The question and what of its answer there is, when the conversation ends with a request to continue or with the answer
 * itself. An answer that was continued before stands in several messages; what it said is all of them together.
 */
function findBrokenAnswer(said: readonly ModelMessage[]): BrokenAnswer | null {
	const last = said.at(-1);
	let at = said.length - 1;
	if (said[at]?.role === 'user' && asksToContinue(textOf(said[at]))) at -= 1;
	// Cut off before its first word.
	if (said[at]?.role === 'user' && at < said.length - 1 && isOnlyToContinue(textOf(last)))
		return { question: textOf(said[at]), text: '', isOnlyToContinue: true };
	if (said[at]?.role !== 'assistant') return null;
	let text = '';
	for (;;) {
		for (; said[at]?.role === 'assistant'; at -= 1) text = textOf(said[at]) + text;
		if (said[at - 1]?.role !== 'assistant' || !asksToContinue(textOf(said[at]))) break;
		at -= 1;
	}
	if (said[at]?.role !== 'user') return null;
	return { question: textOf(said[at]), text, isOnlyToContinue: last?.role === 'assistant' || isOnlyToContinue(textOf(last)) };
}

/** How much of `whole` has been said when `beginning` has; null when that is not its beginning. Blanks at the cut may have been lost. */
function lengthOfBeginning(whole: string, beginning: string): number | null {
	for (const said of [beginning, beginning.trimEnd()]) {
		if (whole.startsWith(said)) return said.length;
	}
	return null;
}

function readVariant(messages: readonly ModelMessage[]): number | null {
	const systemText = messages
		.filter((message) => message.role === 'system')
		.map(textOf)
		.join('\n');
	const found = /\bguide-variant:(\d{1,6})\b/.exec(systemText);
	return found === null ? null : Number(found[1]);
}

function textOf(message: ModelMessage | undefined): string {
	return message?.content.map((part) => part.text).join('\n\n') ?? '';
}

/** Words with the blanks after them; two characters at a time where a script has no blanks. The concatenation is the text. */
export function splitIntoPieces(text: string): readonly string[] {
	return text.match(/[\u3000-\u9fff\uff00-\uffef]{1,2}\s*|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/gu) ?? [];
}

/** Short stand-in for a long text (FNV-1a, 32 bit, and the length). Two texts with the same one would only share their variants. */
function fingerprintOf(text: string): string {
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	return `${text.length}:${hash >>> 0}`;
}

function throwIfAborted(signal: AbortSignal): void {
	if (signal.aborted) throw new ModelError({ code: 'model-aborted' });
}

function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) return resolve();
		const timer = setTimeout(done, ms);
		signal.addEventListener('abort', done, { once: true });
		function done(): void {
			clearTimeout(timer);
			signal.removeEventListener('abort', done);
			resolve();
		}
	});
}
