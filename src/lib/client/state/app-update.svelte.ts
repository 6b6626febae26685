// The service worker as a person meets it: Bough works offline now; a new version is ready and waits for a yes. The old
// version stays whole until then, and all tabs change together.
import type { Workbox } from 'workbox-window';

/** How often a page that stays open looks for a new version. */
const lookEveryMs = 60 * 60 * 1000;

/** A page that was left while it registered may take the next page's registration down with it: so it is tried again. */
const registerAgainAfterMs = [2_000, 10_000];

async function register(workbox: Workbox): Promise<void> {
	for (const waitMs of registerAgainAfterMs) {
		try {
			await workbox.register();
			return;
		} catch {
			await new Promise((resolve) => setTimeout(resolve, waitMs));
		}
	}
	await workbox.register();
}

export class AppUpdate {
	#isReady = $state(false);
	#isOfflineReady = $state(false);
	#workbox: Workbox | null = null;

	/** A new version is installed and waits. */
	get isReady(): boolean {
		return this.#isReady;
	}

	/** True from the moment that this browser has all of Bough for the first time. */
	get isOfflineReady(): boolean {
		return this.#isOfflineReady;
	}

	/** `scriptUrl`: the service worker's address; `scope`: what it serves. Does nothing where there are no service workers. */
	async start(scriptUrl: string, scope: string): Promise<void> {
		if (!('serviceWorker' in navigator)) return;
		const { Workbox } = await import('workbox-window');
		const workbox = new Workbox(scriptUrl, { scope, updateViaCache: 'none' });
		this.#workbox = workbox;
		workbox.addEventListener('waiting', () => {
			// A first service worker waits too, for a moment, on a busy machine: it is no new version, and no reason to reload.
			if (navigator.serviceWorker.controller) this.#isReady = true;
		});
		workbox.addEventListener('activated', (event) => {
			if (!event.isUpdate) this.#isOfflineReady = true;
		});
		// Fires in every tab once one of them said yes; also when a first service worker takes the page over, which changes nothing.
		workbox.addEventListener('controlling', () => this.#isReady && location.reload());
		try {
			await register(workbox);
		} catch {
			// No network on the very first visit, or a browser that forbids it: the app runs, it is only not offline yet.
			return;
		}
		const look = () => void workbox.update().catch(() => undefined);
		setInterval(look, lookEveryMs);
		document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
	}

	/** Lets the new version take over in all tabs. */
	accept(): void {
		this.#workbox?.messageSkipWaiting();
	}
}
