import { ok } from '#lib/core/std/result.ts';
import type { Handler } from '../engine-deps.ts';

export const handlePing: Handler<'ping'> = (deps) => ({ kind: 'answer', answer: () => Promise.resolve(ok({ epoch: deps.epoch })) });
