// The one rule for Enter, used by every field that Enter sends (interface: composer, edit box, rename, search).

/**
 * True when this key press means "send". Not while an input method composes: Safari ends the composition before the key
 * arrives (WebKit bug 165004), so `isComposing` alone is not enough; key code 229 is what an input method's keys carry.
 */
export function isSubmitKey(event: KeyboardEvent): boolean {
	return event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229;
}

/** Whether the person types on glass: there Enter breaks the line and only the button sends. */
export function hasTouchKeyboard(): boolean {
	return matchMedia('(pointer: coarse)').matches && !matchMedia('(any-pointer: fine)').matches;
}
