// Asking the browser to keep what Bough stores: what is not promised to be kept goes first when the disk is full. RUNS IN THE TAB.
import { readLocal, writeLocal } from './local-store.ts';

const askedKey = 'asked-to-keep-storage';

/** True and false as the browser promises; null where it does not say. */
export async function isStorageKept(): Promise<boolean | null> {
	const storage: Partial<StorageManager> | undefined = navigator.storage;
	return (await storage?.persisted?.()) ?? null;
}

/** Asks, whatever was answered before. True when the browser promises. */
export async function requestKeptStorage(): Promise<boolean> {
	const storage: Partial<StorageManager> | undefined = navigator.storage;
	return (await storage?.persist?.()) === true;
}

/**
 * Asks after a message of the person's own. Chromium and Safari decide by themselves how much this site is used, so they are
 * asked again until they promise; Firefox asks the person, once, and after that there is a button in the settings.
 */
export async function askToKeepStorage(): Promise<void> {
	const asksThePerson = navigator.userAgent.includes('Firefox/');
	if ((asksThePerson && readLocal(askedKey) !== null) || (await isStorageKept()) !== false) return;
	writeLocal(askedKey, 'yes');
	await requestKeptStorage();
}
