// Becoming the writer: makes the device row on a new device and raises the epoch. ENGINE WORKER. SPEC.md DB-21.
import type { BoughDatabase } from '../database.ts';

/** Fences out every earlier leader and answers the new epoch. `newDeviceId` is asked only on a new device. */
export function beginEpoch(database: BoughDatabase, newDeviceId: () => string): Promise<number> {
	return database.transaction('rw', database.device, async () => {
		const device = await database.device.get('self');
		const epoch = (device?.epoch ?? 0) + 1;
		await database.device.put({ key: 'self', deviceId: device?.deviceId ?? newDeviceId(), lastStamp: device?.lastStamp ?? null, epoch });
		return epoch;
	});
}
