import { beforeEach, expect, it, vi } from 'vitest';
import type { CommandType, PayloadOf } from '#lib/core/protocol/commands.ts';
import type { Result } from '#lib/core/std/result.ts';
import type { Session } from '../session.ts';
import { Draft } from './draft.svelte.ts';
import { NewThread } from './new-thread.svelte.ts';

beforeEach(() => localStorage.clear());

const never = () => Promise.resolve(false);

function setup() {
	const receipt = Promise.withResolvers<Result<object, { code: string }>>();
	const send = vi.fn((_type: CommandType, _payload: unknown) => receipt.promise);
	const session = { engine: { send }, read: never } as unknown as Session;
	return { thread: new NewThread(session, () => ({ connectionId: 'guide', model: 'guide', locale: 'en' })), send, receipt };
}

it('VIEW-17: a first question and its thread are one command, and the draft is gone once it is accepted', async () => {
	const { thread, send, receipt } = setup();
	thread.draft.text = ' What is a tree? ';
	const sent = thread.send();
	expect(thread.draft.text).toBe(' What is a tree? ');
	receipt.resolve({ ok: true, value: {} });
	const result = await sent;
	expect(send).toHaveBeenCalledTimes(1);
	const [type, payload] = send.mock.calls[0] ?? [];
	expect([type, payload]).toMatchObject(['turn.submit', { text: 'What is a tree?', createsThread: true }]);
	expect(result).toEqual({ ok: true, value: (payload as PayloadOf<'turn.submit'>).threadId });
	expect(thread.draft.text).toBe('');
});

it('VIEW-17: what was typed while it was sent goes along into the thread', async () => {
	const { thread, receipt } = setup();
	thread.draft.text = 'What is a tree?';
	const sent = thread.send();
	thread.draft.text = 'And what is a forest?';
	receipt.resolve({ ok: true, value: {} });
	const result = await sent;
	expect(thread.draft.text).toBe('');
	expect(result.ok && new Draft(result.value, never).text).toBe('And what is a forest?');
});

it('VIEW-17: a refused question stays in the composer, and is sent once at a time', async () => {
	const { thread, send, receipt } = setup();
	thread.draft.text = 'What is a tree?';
	const sent = thread.send();
	expect(await thread.send()).toMatchObject({ ok: false });
	receipt.resolve({ ok: false, error: { code: 'connection-not-found' } });
	expect([await sent, thread.draft.text, send.mock.calls.length]).toMatchObject([{ ok: false }, 'What is a tree?', 1]);
});
