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
	return plugins;
}
