// One entry of a menu.
import type { Component } from 'svelte';

export interface MenuItem {
	readonly label: string;
	readonly icon?: Component;
	/** The keys that do the same without the menu. */
	readonly keys?: string;
	readonly isDanger?: boolean;
	readonly onselect: () => void;
}
