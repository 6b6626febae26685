// The words of a comparison: its sides, and what is to be known about them before reading. SPEC.md COMP-02.
import type { ComparedSide, Comparison } from '#lib/core/domain/comparison.ts';
import { m } from '#lib/i18n/generated/messages.js';
import type { SideName } from '#lib/client/state/comparison.svelte.ts';

export function sideLetter(side: SideName): string {
	return side === 'a' ? 'A' : 'B';
}

/** Each a sentence; none where two branches simply part. */
export function noticesOf(comparison: Comparison): readonly string[] {
	const notices = [...sideNotices('a', comparison.a), ...sideNotices('b', comparison.b)];
	switch (comparison.relation) {
		case 'same':
			return [...notices, m.compare_same()];
		case 'a-leads-to-b':
			return [...notices, m.compare_leads({ upper: 'A', lower: 'B' })];
		case 'b-leads-to-a':
			return [...notices, m.compare_leads({ upper: 'B', lower: 'A' })];
		case 'apart':
			return [...notices, m.compare_apart()];
		case 'fork':
		case 'incomplete':
			return notices;
	}
}

function sideNotices(name: SideName, { state, isChosenDeleted, deletedCount }: ComparedSide): string[] {
	const side = sideLetter(name);
	if (state === 'missing') return [m.compare_missing({ side })];
	if (state === 'deleted') return [m.compare_deleted({ side })];
	return [
		...(isChosenDeleted ? [m.compare_chosen_deleted({ side })] : []),
		...(deletedCount > 0 && !isChosenDeleted ? [m.compare_deleted_count({ side, count: deletedCount })] : [])
	];
}
