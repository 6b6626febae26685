// Watches one call from the request to the last byte: the person's stop, the wait for the first byte, the silences, and the
// end mark that the SDK keeps to itself. Runs in the engine worker. SPEC.md PRV-04, PRV-10, PRV-11.
import { ModelError, type ModelFailure } from '#lib/core/context/model.ts';

export interface CallLimits {
	readonly firstByteTimeoutMs: number;
	readonly silenceTimeoutMs: number;
}

export interface CallWatch {
	/** Aborted by the person, by a limit, and by `close`. */
	readonly signal: AbortSignal;
	/** Why the watch broke the call off; null while it has not. */
	readonly failure: () => ModelFailure | null;
	/** Resolves or rejects as `promise` does, unless the watch breaks the call off first: then rejects with `ModelError`. */
	readonly race: <T>(promise: Promise<T>) => Promise<T>;
	/** `race`, for the next event: a server that only ever sends comments meets a limit as well. */
	readonly raceEvent: <T>(promise: Promise<T>) => Promise<T>;
	/** The same answer, whose bytes are watched on their way; it ends after `limitBytes`, null for no limit. */
	readonly watchBody: (response: Response, limitBytes: number | null) => Response;
	/** The body held `data: [DONE]`. */
	readonly sawDone: () => boolean;
	/** The body is over, and ended in the middle of a line. */
	readonly endedMidLine: () => boolean;
	/** Any byte of the body came. */
	readonly sawBytes: () => boolean;
	/** Ends the watch and what is still under way. */
	readonly close: () => void;
}

/** Comments keep a call alive for this many silences, no longer: a queue may be slow, but a stream has an end. */
const silencesWithoutEvent = 10;
const lineFeed = 0x0a;
const longestTimerMs = 0x7fffffff;

/** Throws `model-aborted` when `signal` is aborted already. The wait for the first byte begins now. */
export function watchCall(signal: AbortSignal, limits: CallLimits): CallWatch {
	if (signal.aborted) throw new ModelError({ code: 'model-aborted' });
	const controller = new AbortController();
	const doneMark = createDoneMark();
	let failure: ModelFailure | null = null;
	let hasBytes = false;
	let isOver = false;
	let lastByte = lineFeed;
	let breakOff: (error: ModelError) => void = () => {};
	const broken = new Promise<never>((_resolve, reject) => {
		breakOff = reject;
	});
	// The race may be over before the call is broken off.
	broken.catch(() => {});

	const fail = (reason: ModelFailure): void => {
		if (failure !== null || controller.signal.aborted) return;
		failure = reason;
		breakOff(new ModelError(reason));
		controller.abort();
	};
	const silent = (): void => fail({ code: 'model-silent' });
	const stop = (): void => fail({ code: 'model-aborted' });
	signal.addEventListener('abort', stop, { once: true });
	const firstByteTimer = setTimeout(silent, Math.min(limits.firstByteTimeoutMs, longestTimerMs));
	const race = <T>(promise: Promise<T>): Promise<T> => Promise.race([promise, broken]);

	/** Only the wait for the server counts: while the reader is busy, no timer runs. */
	const read = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | null> => {
		const silenceTimer = hasBytes ? setTimeout(silent, Math.min(limits.silenceTimeoutMs, longestTimerMs)) : undefined;
		try {
			const { value, done } = await race(reader.read());
			if (done) return null;
			hasBytes = true;
			clearTimeout(firstByteTimer);
			return value;
		} finally {
			clearTimeout(silenceTimer);
		}
	};

	return {
		signal: controller.signal,
		failure: () => failure,
		race,
		raceEvent: async (promise) => {
			const limitMs = silencesWithoutEvent * limits.silenceTimeoutMs + (hasBytes ? 0 : limits.firstByteTimeoutMs);
			const timer = setTimeout(silent, Math.min(limitMs, longestTimerMs));
			try {
				return await race(promise);
			} finally {
				clearTimeout(timer);
			}
		},
		watchBody: (response, limitBytes) => {
			const reader = response.body?.getReader();
			if (reader === undefined) return response;
			let size = 0;
			const body = new ReadableStream<Uint8Array>(
				{
					async pull(out) {
						const bytes = await read(reader);
						if (bytes === null) {
							isOver = true;
							return out.close();
						}
						lastByte = bytes.at(-1) ?? lastByte;
						doneMark.push(bytes);
						size += bytes.length;
						out.enqueue(bytes);
						if (limitBytes === null || size < limitBytes) return;
						out.close();
						await reader.cancel();
					},
					cancel: (reason) => reader.cancel(reason)
				},
				{ highWaterMark: 0 }
			);
			return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
		},
		sawDone: doneMark.isSeen,
		endedMidLine: () => isOver && lastByte !== lineFeed,
		sawBytes: () => hasBytes,
		close: () => {
			clearTimeout(firstByteTimer);
			signal.removeEventListener('abort', stop);
			controller.abort();
		}
	};
}

/** Finds a line `data: [DONE]` in bytes that come in any pieces. JSON cannot hold one: its line breaks are escaped. */
function createDoneMark(): { push: (bytes: Uint8Array) => void; isSeen: () => boolean } {
	const decoder = new TextDecoder('latin1');
	let tail = '\n';
	let seen = false;
	return {
		push: (bytes) => {
			if (seen) return;
			const text = tail + decoder.decode(bytes);
			seen = /[\r\n]data: ?\[DONE\]/.test(text);
			tail = text.slice(-16);
		},
		isSeen: () => seen
	};
}
