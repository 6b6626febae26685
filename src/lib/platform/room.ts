// Whether the disk really takes something. RUNS IN TAB AND WORKER.

const probePrefix = 'bough-room-';
/** More than the browser's database needs to open and to write its next answers. */
const probeBytes = 4 * 1024 * 1024;

/**
 * Writes 4 MB, reads them back and takes them away again. True when that worked, and also where the browser has no place to
 * try it. In the cache storage, on purpose: unlike the database it loses nothing but the probe when the disk is full.
 */
export function hasRoom(): Promise<boolean> {
	// One at a time, so that what a killed probe has left can be cleared away.
	return navigator.locks.request('bough-room', probe);
}

async function probe(): Promise<boolean> {
	let cache: Cache;
	// A cache that was made while the disk was full stays broken in Chromium: each probe makes its own.
	const name = probePrefix + crypto.randomUUID();
	try {
		cache = await caches.open(name);
	} catch {
		// No cache storage here (a private window): nothing is known.
		return true;
	}
	try {
		await cache.put('/room', new Response(new Uint8Array(probeBytes)));
		const written = await cache.match('/room');
		return written !== undefined && (await written.arrayBuffer()).byteLength === probeBytes;
	} catch {
		return false;
	} finally {
		await clearProbes().catch(() => undefined); // tried again by the next probe
	}
}

async function clearProbes(): Promise<void> {
	for (const name of await caches.keys()) {
		if (name.startsWith(probePrefix)) await caches.delete(name);
	}
}
