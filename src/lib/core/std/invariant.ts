// What must never happen, said where it would. Runs anywhere.

/** A broken invariant: a bug of ours, never a person's mistake. Caught by the dispatcher, the run and the error page only. */
class InvariantError extends Error {
	override readonly name = 'InvariantError';
}

/** Throws `InvariantError` when `condition` is false. */
export function invariant(condition: unknown, message: string): asserts condition {
	if (!condition) throw new InvariantError(message);
}

/** Marks the end of an exhaustive `switch` that acts instead of returning. */
export function assertNever(value: never, what: string): never {
	throw new InvariantError(`${what} has no case for ${JSON.stringify(value)}`);
}
