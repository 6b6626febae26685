// Sizes for people.

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** `sizeBytes` in the largest unit (of 1000) that keeps it at 1 or more. */
export function bytesText(sizeBytes: number, locale: string): string {
	const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, sizeBytes)) / 3)));
	const value = sizeBytes / 1000 ** power;
	return new Intl.NumberFormat(locale, {
		style: 'unit',
		unit: units[power] ?? 'byte',
		unitDisplay: 'short',
		maximumFractionDigits: value < 10 ? 1 : 0
	}).format(value);
}
