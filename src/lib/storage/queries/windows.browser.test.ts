// The same simulation on the browser's own IndexedDB. See docs/development.md for longer runs.
import { expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { createReadingDatabase } from '../database.ts';
import { compareWindows } from './test-windows.ts';

const windows = Number(import.meta.env['VITE_WINDOWS'] ?? 400);
const seed = Number(import.meta.env['VITE_WINDOW_SEED'] ?? Math.floor(Math.random() * 0x7fffffff));

it(
	`DB-10 DB-11: never a wrong row in ${windows} windows of what devices wrote offline, in this browser (VITE_WINDOW_SEED=${seed})`,
	async () => {
		const database = createReadingDatabase(`windows-${newId()}`);
		await database.open();
		const { faults, ...figures } = await compareWindows(database, { windows, seed });
		console.log(`VITE_WINDOW_SEED=${seed}`, JSON.stringify(figures));
		await database.delete();
		expect(faults, `VITE_WINDOW_SEED=${seed}`).toEqual([]);
		expect(figures.windows).toBe(windows);
	},
	120_000 + windows * 50
);
