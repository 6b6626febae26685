// How much space Bough uses on this device, and whether the browser has promised to keep it.
import { isStorageKept, requestKeptStorage } from '#lib/platform/persistence.ts';

export class StorageReport {
	/** Bytes; null while unknown or where the browser does not say. */
	#usedBytes = $state<number | null>(null);
	#quotaBytes = $state<number | null>(null);
	#isPersisted = $state<boolean | null>(null);
	#wasRefused = $state(false);

	get usedBytes(): number | null {
		return this.#usedBytes;
	}

	get quotaBytes(): number | null {
		return this.#quotaBytes;
	}

	get isPersisted(): boolean | null {
		return this.#isPersisted;
	}

	/** The person asked, and the browser did not promise. */
	get wasRefused(): boolean {
		return this.#wasRefused;
	}

	async refresh(): Promise<void> {
		const storage: Partial<StorageManager> | undefined = navigator.storage;
		const estimate = await storage?.estimate?.();
		this.#usedBytes = estimate?.usage ?? null;
		this.#quotaBytes = estimate?.quota ?? null;
		this.#isPersisted = await isStorageKept();
	}

	async askToPersist(): Promise<void> {
		this.#wasRefused = !(await requestKeptStorage());
		await this.refresh();
	}
}
