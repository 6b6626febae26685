// Asks a worker for the differences of two texts, one pair after the other. The worker is started with the first question and
// ended when it hangs or dies. SPEC.md WORD-06, WORD-07. RUNS IN THE TAB.
import type { DifferencesAnswered, DifferencesAsked } from './differences.worker.ts';
import type { Differences } from './find-differences.ts';

/** `unavailable`: the code that finds them could not be loaded, or broke. */
export type DifferencesResult = Differences | { readonly kind: 'unavailable' };

/** Longer than any pair takes by its own limits; a worker that is still busy then hangs. */
const longestMs = 8_000;

interface Question extends DifferencesAsked {
	readonly answer: (result: DifferencesResult) => void;
}

type WorkerPort = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

export class DifferenceFinder {
	readonly #createWorker: () => WorkerPort;
	readonly #longestMs: number;
	#worker: WorkerPort | null = null;
	#waiting: Question[] = [];
	#asked: Question | null = null;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#lastId = 0;

	constructor(createWorker: () => WorkerPort = createDifferencesWorker, longest = longestMs) {
		this.#createWorker = createWorker;
		this.#longestMs = longest;
	}

	/** Answers later, at most once; the way to take the question back. */
	find(a: string, b: string, answer: (result: DifferencesResult) => void): () => void {
		const question: Question = { id: ++this.#lastId, a, b, answer };
		this.#waiting.push(question);
		this.#next();
		return () => {
			this.#waiting = this.#waiting.filter((each) => each !== question);
			// What is being worked on is not worth more than the next: a long pair would hold it up.
			if (this.#asked === question) this.#end();
			this.#next();
		};
	}

	close(): void {
		this.#waiting = [];
		this.#end();
	}

	#next(): void {
		if (this.#asked) return;
		const question = this.#waiting.shift();
		if (!question) return;
		this.#asked = question;
		try {
			this.#worker ??= this.#start();
		} catch {
			// A browser that allows no worker.
			return this.#fail({ kind: 'unavailable' });
		}
		this.#timer = setTimeout(() => this.#fail({ kind: 'too-different' }), this.#longestMs);
		const { id, a, b } = question;
		this.#worker.postMessage({ id, a, b } satisfies DifferencesAsked);
	}

	#start(): WorkerPort {
		const worker = this.#createWorker();
		worker.onmessage = ({ data }: MessageEvent<DifferencesAnswered>) => {
			const question = this.#asked;
			if (question?.id !== data.id) return;
			clearTimeout(this.#timer);
			this.#asked = null;
			question.answer(data.differences);
			this.#next();
		};
		worker.onerror = (event) => {
			event.preventDefault();
			this.#fail({ kind: 'unavailable' });
		};
		return worker;
	}

	#fail(result: DifferencesResult): void {
		const question = this.#asked;
		this.#end();
		question?.answer(result);
		this.#next();
	}

	/** Ends the worker with what it is at; the next question starts another one. */
	#end(): void {
		clearTimeout(this.#timer);
		this.#worker?.terminate();
		this.#worker = null;
		this.#asked = null;
	}
}

function createDifferencesWorker(): Worker {
	return new Worker(new URL('./differences.worker.ts', import.meta.url), { type: 'module', name: 'bough-differences' });
}
