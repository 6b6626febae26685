// The windows that the screen reads, against what several devices wrote offline. See docs/development.md for longer runs.
import { expect, it } from 'vitest';
import { setupDatabase } from '../test-database.ts';
import { compareWindows } from './test-windows.ts';

const windows = Number(import.meta.env['VITE_WINDOWS'] ?? 2_000);
const seed = Number(import.meta.env['VITE_WINDOW_SEED'] ?? Math.floor(Math.random() * 0x7fffffff));

it(
	`DB-10 DB-11: never a wrong row in ${windows} windows of what devices wrote offline (VITE_WINDOW_SEED=${seed})`,
	async () => {
		const { faults, ...figures } = await compareWindows(await setupDatabase(), { windows, seed });
		console.log(`VITE_WINDOW_SEED=${seed}`, JSON.stringify(figures));
		expect(faults, `VITE_WINDOW_SEED=${seed}`).toEqual([]);
		expect(figures.windows).toBe(windows);
		// Enough threads are such as a single device would never write.
		expect(figures.conflicts).toBeGreaterThan(figures.threads / 2);
	},
	120_000 + windows * 20
);
