// How wide the tree beside a conversation is: this browser's own, kept across reloads.
import { readLocal, writeLocal } from '#lib/platform/local-store.ts';

const key = 'tree.width';
const defaultWidth = 400;

export class TreeWidth {
	readonly least = 280;
	readonly most = 900;
	#px = $state(this.#limited(Number(readLocal(key) ?? defaultWidth)));

	/** CSS pixels. */
	get px(): number {
		return this.#px;
	}

	set(px: number): void {
		this.#px = this.#limited(px);
	}

	keep(): void {
		writeLocal(key, String(this.#px));
	}

	#limited(px: number): number {
		return Number.isFinite(px) ? Math.min(this.most, Math.max(this.least, px)) : defaultWidth;
	}
}
