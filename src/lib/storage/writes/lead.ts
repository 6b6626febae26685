// Becoming the writer: makes the device row on a new device and raises the epoch. ENGINE WORKER. SPEC.md DB-21.
import type { BoughDatabase } from '../database.ts';
import type { DeviceRow } from '../rows.ts';

/**
 * Fences out every earlier leader and answers the new epoch. `newDevice` is asked only on a new device; its epochs begin after
 * `epoch`, which must be later than those of a database that was cleared, whose leader may still be at work.
 */
export function beginEpoch(database: BoughDatabase, newDevice: () => Pick<DeviceRow, 'deviceId' | 'epoch'>): Promise<number> {
	return database.transaction('rw', database.device, async () => {
		const device = (await database.device.get('self')) ?? { ...newDevice(), key: 'self', lastStamp: null };
		const epoch = device.epoch + 1;
		await database.device.put({ ...device, epoch });
		return epoch;
	});
}
