// The Svelte and SvelteKit options; vite.config.ts hands them to the plugin, eslint.config.js to the linter.
import adapter from '@sveltejs/adapter-static';

/** What a page of Bough may load and talk to. The relay and any static host can send the same as a header (docs/development.md). */
export const contentSecurityPolicy = {
	'default-src': ['none'],
	'script-src': ['self'],
	// Svelte's style directives and SvelteKit's announcer write style attributes.
	'style-src': ['self', 'unsafe-inline'],
	'img-src': ['self', 'blob:', 'data:'],
	'font-src': ['self'],
	// The person chooses the endpoints of their models: any https origin, and servers on this machine or network over http.
	'connect-src': ['self', 'https:', 'http:'],
	'worker-src': ['self'],
	'manifest-src': ['self'],
	'frame-src': ['none'],
	'object-src': ['none'],
	'form-action': ['none'],
	'base-uri': ['none']
};

export default {
	compilerOptions: {
		runes: ({ filename }) => (filename.split(/[/\\]/).includes('node_modules') ? undefined : true)
	},
	adapter: adapter({
		fallback: '200.html',
		precompress: true,
		pages: process.env.BOUGH_BUILD ?? 'build',
		assets: process.env.BOUGH_BUILD ?? 'build'
	}),
	// The prerendered page is the offline shell of every deep link, so its addresses must not be relative to it.
	paths: { relative: false, base: process.env.BOUGH_BASE_PATH ?? '' },
	serviceWorker: { register: false },
	version: { name: process.env.BOUGH_VERSION ?? 'development', pollInterval: 0 },
	csp: { mode: 'hash', directives: contentSecurityPolicy }
};
