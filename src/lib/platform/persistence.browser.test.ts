import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askToKeepStorage, isStorageKept, requestKeptStorage } from './persistence.ts';

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

function setupStorage(isKept: boolean, isGranted: boolean) {
	vi.spyOn(navigator.storage, 'persisted').mockResolvedValue(isKept);
	return vi.spyOn(navigator.storage, 'persist').mockResolvedValue(isGranted);
}

test('VIEW-16 a browser that decides by itself is asked again until it promises', async () => {
	const persist = setupStorage(false, false);
	await askToKeepStorage();
	await askToKeepStorage();
	expect(persist).toHaveBeenCalledTimes(2);
	setupStorage(true, true);
	await askToKeepStorage();
	expect(persist).toHaveBeenCalledTimes(2);
});

test('VIEW-16 a browser that asks the person asks once', async () => {
	const persist = setupStorage(false, false);
	vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0');
	await askToKeepStorage();
	await askToKeepStorage();
	expect(persist).toHaveBeenCalledTimes(1);
	// The button in the settings always asks.
	expect(await requestKeptStorage()).toBe(false);
	expect(persist).toHaveBeenCalledTimes(2);
});

test('VIEW-16 a browser without a say is not asked', async () => {
	vi.spyOn(navigator, 'storage', 'get').mockReturnValue(undefined as never);
	expect(await isStorageKept()).toBe(null);
	await askToKeepStorage();
	expect(await requestKeptStorage()).toBe(false);
});
