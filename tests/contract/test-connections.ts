// Databases of their own for tests in a real browser: the engine's observed connection, and a tab's.
import { createSystemClock } from '#lib/platform/clock.ts';
import { newDeviceId, newId } from '#lib/platform/ids.ts';
import { createReadingDatabase, type BoughDatabase } from '#lib/storage/database.ts';
import { createObservedDatabase } from '#lib/storage/observed-database.ts';
import { openDatabase, type OpenDatabaseOptions } from '#lib/storage/open-database.ts';
import { beginEpoch } from '#lib/storage/writes/lead.ts';
import type { WriteDeps } from '#lib/storage/writes/write-transaction.ts';

export const newName = () => `contract-${newId()}`;

const silent: OpenDatabaseOptions = { onOutdated: () => {}, onBlocked: () => {} };

async function opened(database: BoughDatabase, options: OpenDatabaseOptions): Promise<BoughDatabase> {
	const result = await openDatabase(database, options);
	if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail}`);
	return result.value;
}

export function openReading(name: string, options: OpenDatabaseOptions = silent): Promise<BoughDatabase> {
	return opened(createReadingDatabase(name), options);
}

export async function openWriter(name: string, options: OpenDatabaseOptions = silent): Promise<WriteDeps> {
	const database = await opened(createObservedDatabase(name), options);
	return { database, clock: createSystemClock(), epoch: await beginEpoch(database, () => ({ deviceId: newDeviceId(), epoch: 0 })) };
}
