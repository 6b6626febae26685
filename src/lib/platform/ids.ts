// New ids. UUIDv7: sorted by the time they were made, unique everywhere (T-055, C-07).
import { v7 } from 'uuid';

export function newId(): string {
	return v7();
}

/** 16 hex digits, for a device's stamps. */
export function newDeviceId(): string {
	return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
