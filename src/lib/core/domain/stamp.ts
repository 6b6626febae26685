// Stamps: a hybrid logical clock whose readings are texts that sort like time (sync 2.2; SPEC.md TREE-02). Pure: time comes in as an argument.
// A stamp is `mmmmmmmmm-cccc-dddddddddddddddd`: milliseconds in base 36, counter in hex, device id in hex.
import { invariant } from '../std/invariant.ts';
import type { DeviceId, Stamp } from './ids.ts';

const timeDigits = 9;
const counterDigits = 4;
const maxCounter = 0xffff;

/** A device's clock is believed up to this far ahead; what lies further raises a notice and drags nothing along. */
export const maxClockLeadMs = 5 * 60 * 1000;

interface Reading {
	readonly timeMs: number;
	readonly counter: number;
}

function format({ timeMs, counter }: Reading, deviceId: DeviceId): Stamp {
	return `${timeMs.toString(36).padStart(timeDigits, '0')}-${counter.toString(16).padStart(counterDigits, '0')}-${deviceId}`;
}

/** Null when `stamp` is not of the shape above. */
export function parseStamp(stamp: Stamp): (Reading & { readonly deviceId: DeviceId }) | null {
	const match = /^([0-9a-z]{9})-([0-9a-f]{4})-([0-9a-f]{16})$/.exec(stamp);
	if (!match) return null;
	const [, time, counter, deviceId] = match;
	invariant(time !== undefined && counter !== undefined && deviceId !== undefined, 'a matched stamp has three parts');
	return { timeMs: parseInt(time, 36), counter: parseInt(counter, 16), deviceId };
}

/**
 * The next stamp of this device: later than its last one and than everything the operation rests on, so that an edit beats
 * what its author saw, even under broken clocks. `nowMs`: integer Unix milliseconds. `last`: null on a new device.
 */
export function nextStamp(deviceId: DeviceId, nowMs: number, last: Stamp | null, dependencies: readonly (Stamp | undefined)[] = []): Stamp {
	invariant(/^[0-9a-f]{16}$/.test(deviceId), 'a device id is 16 hex digits');
	let latest: Reading = { timeMs: 0, counter: 0 };
	for (const stamp of [last, ...dependencies]) {
		const reading = stamp == null ? null : parseStamp(stamp);
		if (reading && (reading.timeMs > latest.timeMs || (reading.timeMs === latest.timeMs && reading.counter > latest.counter)))
			latest = reading;
	}
	if (nowMs > latest.timeMs) return format({ timeMs: nowMs, counter: 0 }, deviceId);
	if (latest.counter < maxCounter) return format({ timeMs: latest.timeMs, counter: latest.counter + 1 }, deviceId);
	return format({ timeMs: latest.timeMs + 1, counter: 0 }, deviceId);
}
