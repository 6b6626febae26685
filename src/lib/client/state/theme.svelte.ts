// Light, dark, or as the device is. Kept for this browser; app.html applies it before the first paint.
import { readLocal, writeLocal } from '#lib/platform/local-store.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

function isTheme(value: string | null): value is Theme {
	return themes.some((theme) => theme === value);
}

export class ThemeState {
	#current = $state<Theme>('system');

	constructor() {
		const stored = readLocal('theme');
		if (isTheme(stored)) this.#show(stored);
	}

	get current(): Theme {
		return this.#current;
	}

	choose(theme: Theme): void {
		writeLocal('theme', theme === 'system' ? null : theme);
		this.#show(theme);
	}

	#show(theme: Theme): void {
		this.#current = theme;
		if (theme === 'system') delete document.documentElement.dataset['theme'];
		else document.documentElement.dataset['theme'] = theme;
	}
}
