import { beforeEach, expect, it, vi } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { Draft } from './draft.svelte.ts';

const never = () => Promise.resolve(false);

beforeEach(() => localStorage.clear());

it('VIEW-08: what was typed is there after a reload, and gone when it was cleared', () => {
	const key = newId();
	const draft = new Draft(key, never);
	draft.text = 'a thought';
	expect([new Draft(key, never).text, new Draft(newId(), never).text, draft.isKept]).toEqual(['a thought', '', true]);
	draft.clear();
	expect([draft.text, new Draft(key, never).text]).toEqual(['', '']);
});

it('VIEW-08: a message that was sent is not offered again, one that was not is', async () => {
	const key = newId();
	const draft = new Draft(key, never);
	draft.text = 'a thought';
	draft.markSent('m1');
	const asked = vi.fn(never);
	expect(new Draft(key, asked).text).toBe('a thought');
	expect(asked).toHaveBeenCalledWith('m1');
	const reloaded = new Draft(key, () => Promise.resolve(true));
	await expect.poll(() => reloaded.text).toBe('');
	expect(new Draft(key, never).text).toBe('');
});

it('VIEW-08: words that were typed while it was looked up stay', async () => {
	const key = newId();
	new Draft(key, never).text = 'sent';
	new Draft(key, never).markSent('m1');
	const gate = Promise.withResolvers<boolean>();
	const reloaded = new Draft(key, () => gate.promise);
	reloaded.text = 'sent, and more';
	gate.resolve(true);
	await gate.promise;
	await Promise.resolve();
	expect(reloaded.text).toBe('sent, and more');
});

it('VIEW-08: a browser that keeps nothing loses no words while the page is open, and says so', () => {
	vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
		throw new DOMException('full', 'QuotaExceededError');
	});
	const draft = new Draft(newId(), never);
	draft.text = 'a thought';
	expect([draft.text, draft.isKept]).toEqual(['a thought', false]);
	vi.restoreAllMocks();
});
