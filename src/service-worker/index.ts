// The service worker: keeps the whole app on the device, serves it offline, and waits with a new version until a person says
// yes. It outlives any version of the page, so it imports nothing of the app.
import { self } from '$app/service-worker';
import { version } from '$app/env';
import { assets, immutable, prerendered } from '$app/manifest';
import { resolve } from '$app/paths';
import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';

const base = resolve('/');
const withBase = (path: string) => base + path.replace(/^\//, '');
const isServed = (path: string) => !/\.(br|gz|map)$/.test(path) && !path.includes('_headers');

precacheAndRoute([
	// Their names change with their content.
	...immutable.filter(({ path }) => isServed(path)).map(({ path }) => ({ url: withBase(path), revision: null })),
	...assets.filter(({ path }) => isServed(path)).map(({ path }) => ({ url: withBase(path), revision: version })),
	...prerendered.map(({ path }) => ({ url: withBase(path), revision: version }))
]);
cleanupOutdatedCaches();
// Every page is the same shell; the address tells it what to show.
registerRoute(new NavigationRoute(createHandlerBoundToURL(base), { denylist: [/\/api\//, /\/v1\//] }));

self.addEventListener('message', (event) => {
	if ((event.data as { type?: string } | null)?.type === 'SKIP_WAITING') void self.skipWaiting();
});
clientsClaim();
