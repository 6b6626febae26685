// What a person has typed and not sent: kept for each thread, across reloads, until the engine has the message for good.
import { readLocal, writeLocal } from '#lib/platform/local-store.ts';

/** Where a message that belongs to no thread yet is kept. */
export const newThreadDraftKey = 'new';

interface StoredDraft {
	readonly text: string;
	/** The message that this text was sent as, while its receipt has not come. */
	readonly sentAs?: string;
}

function parse(stored: string | null): StoredDraft {
	if (stored === null) return { text: '' };
	try {
		const value: unknown = JSON.parse(stored);
		if (typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string') {
			return 'sentAs' in value && typeof value.sentAs === 'string' ? { text: value.text, sentAs: value.sentAs } : { text: value.text };
		}
	} catch {
		// Written by hand or by an extension: whatever it is, it is the person's.
	}
	return { text: stored };
}

export class Draft {
	readonly #key: string;
	#text = $state('');
	#isKept = $state(true);

	/** `wasSent`: whether a message of that id is in the tree; a draft whose sending was confirmed to nobody is cleared then. */
	constructor(key: string, wasSent: (messageId: string) => Promise<boolean>) {
		this.#key = `draft.${key}`;
		const { text, sentAs } = parse(readLocal(this.#key));
		this.#text = text;
		if (sentAs !== undefined) {
			// When it cannot be told, the text stays: it may be the only copy.
			void wasSent(sentAs).then(
				(is) => is && this.#text === text && this.clear(),
				() => undefined
			);
		}
	}

	get text(): string {
		return this.#text;
	}

	set text(text: string) {
		this.#text = text;
		this.#keep({ text });
	}

	/** False when this browser would lose the text with the tab. */
	get isKept(): boolean {
		return this.#isKept;
	}

	/** Remembers what the text is being sent as, so that a tab that dies now does not offer it a second time. */
	markSent(messageId: string): void {
		this.#keep({ text: this.#text, sentAs: messageId });
	}

	/** Hands the text over to another place, where a draft made later finds it. */
	moveTo(key: string): void {
		const isKept = writeLocal(`draft.${key}`, JSON.stringify({ text: this.#text }));
		if (isKept) this.clear();
	}

	clear(): void {
		this.#text = '';
		writeLocal(this.#key, null);
	}

	#keep(draft: StoredDraft): void {
		this.#isKept = writeLocal(this.#key, draft.text === '' ? null : JSON.stringify(draft));
	}
}
