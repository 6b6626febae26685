// SvelteKit 3 takes its options through the plugin only and refuses to start while a svelte.config.js lies beside
// vite.config.ts. Bough keeps that file, because editors, svelte-check and the linter read it (decision 0003), and hands
// the same object to the plugin: so the refusal, and nothing else, is let pass.
import { sveltekit } from '@sveltejs/kit/vite';

/** @param {import('@sveltejs/kit').Config & Record<string, unknown>} config */
export async function sveltekitWithConfigFile(config) {
	const plugins = await sveltekit(config);
	for (const plugin of plugins) {
		if (plugin?.name !== 'vite-plugin-sveltekit-resolve-root') continue;
		const hook = plugin.config;
		const refuse = hook.handler;
		hook.handler = function (...args) {
			try {
				return refuse.apply(this, args);
			} catch (error) {
				if (!/config_file_unsupported/.test(String(error?.code ?? error?.message))) throw error;
			}
		};
	}
	return [...plugins, workerChunksInManifest];
}

/**
 * SvelteKit tells the service worker what to keep by Vite's manifest, and that leaves out what a worker itself loads later (the
 * provider's SDK). Without this it would be missing offline, and gone after an update that somebody has not accepted yet.
 */
const workerChunksInManifest = {
	name: 'bough-worker-chunks-in-manifest',
	enforce: 'post',
	apply: 'build',
	applyToEnvironment: ({ name }) => name === 'client',
	generateBundle: {
		order: 'post',
		handler(_, bundle) {
			const manifest = bundle['.vite/manifest.json'];
			if (!manifest) return;
			const entries = JSON.parse(String(manifest.source));
			for (const file of Object.keys(bundle)) if (/\/workers\/.*\.js$/.test(file)) entries[file] ??= { file };
			manifest.source = JSON.stringify(entries, null, 2);
		}
	}
};
