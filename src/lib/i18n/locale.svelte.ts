// The language of the interface: from the person's choice, else the browser's; switched without a reload, since a run may be
// at work. Imported once by the root layout, before any message is shown.
import { readLocal, writeLocal } from '#lib/platform/local-store.ts';
import { baseLocale, isLocale, locales, overwriteGetLocale, overwriteSetLocale, setLocale } from './generated/runtime.js';

export type Locale = (typeof locales)[number];

const storeKey = 'locale';

function firstLocale(): Locale {
	const chosen = readLocal(storeKey);
	if (isLocale(chosen)) return chosen;
	for (const language of navigator.languages) {
		if (isLocale(language)) return language;
		if (language.toLowerCase().startsWith('zh')) return 'zh-CN';
		if (language.toLowerCase().startsWith('en')) return 'en';
	}
	return baseLocale;
}

class LocaleState {
	#current = $state<Locale>(baseLocale);

	/** Takes the language over; call once, before the first message is shown. */
	start(): void {
		this.#show(firstLocale());
		overwriteGetLocale(() => this.#current);
		overwriteSetLocale((next) => {
			writeLocal(storeKey, next);
			this.#show(next);
		});
	}

	get current(): Locale {
		return this.#current;
	}

	/** Also keeps the choice. */
	choose(next: Locale): void {
		void setLocale(next, { reload: false });
	}

	#show(next: Locale): void {
		this.#current = next;
		document.documentElement.lang = next;
	}
}

/** One for the page, as its language is. */
export const locale = new LocaleState();

/** What each language calls itself. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', 'zh-CN': '简体中文' };
