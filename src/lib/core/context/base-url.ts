// The address of a model server as it is stored and called.

/** Without blanks around it and slashes at its end: paths are put behind it. */
export function tidyBaseUrl(text: string): string {
	return text.trim().replace(/\/+$/, '');
}
