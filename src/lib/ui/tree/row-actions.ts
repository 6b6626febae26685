// What can be done with a message in the tree: the entries of its menu, each with its key.
import type { OutlineEntry } from '#lib/core/domain/outline.ts';
import { m } from '#lib/i18n/generated/messages.js';
import IconCompare from '~icons/lucide/columns-2';
import IconShow from '~icons/lucide/corner-right-down';
import IconCopy from '~icons/lucide/copy-plus';
import IconEye from '~icons/lucide/eye';
import IconFork from '~icons/lucide/git-fork';
import IconForkBelow from '~icons/lucide/network';
import IconGoOn from '~icons/lucide/corner-down-right';
import IconPencil from '~icons/lucide/pencil';
import IconScissors from '~icons/lucide/scissors';
import IconTag from '~icons/lucide/tag';
import IconTrash from '~icons/lucide/trash-2';
import type { MenuItem } from '../primitives/menu-item.ts';

export type RowAct =
	'show' | 'point' | 'go-on' | 'edit' | 'label' | 'unlabel' | 'compare' | 'copy' | 'fork' | 'fork-below' | 'delete' | 'delete-branch';

interface Situation {
	/** The message that was chosen first for a comparison; null when none was. */
	readonly comparedId: string | null;
	readonly canCompare: boolean;
	/** What the message would be in a copy. */
	readonly copyStep: 'from' | 'to' | 'under';
	/** An answer is being written: nothing is deleted meanwhile. */
	readonly isBusy: boolean;
}

export function rowActions(entry: OutlineEntry, situation: Situation, onact: (act: RowAct) => void): MenuItem[] {
	const { comparedId, canCompare, copyStep, isBusy } = situation;
	const item = (act: RowAct, label: string, icon: NonNullable<MenuItem['icon']>, keys?: string, isDanger = false): MenuItem => ({
		label,
		icon,
		isDanger,
		...(keys === undefined ? {} : { keys }),
		onselect: () => onact(act)
	});
	const compareLabel =
		comparedId === null ? m.tree_do_compare_first() : comparedId === entry.node.id ? m.tree_do_compare_none() : m.tree_do_compare_second();
	const copyLabels = { from: m.tree_do_copy_from(), to: m.tree_do_copy_to(), under: m.tree_do_copy_under() };
	return [
		item('show', m.tree_do_show(), IconShow, '↵'),
		item('point', m.tree_do_point(), IconEye, 'Alt ↵'),
		item('go-on', m.tree_do_go_on(), IconGoOn, '⇧ ↵'),
		...(entry.node.type === 'user_message' ? [item('edit', m.tree_do_edit(), IconPencil, 'Ctrl ↵')] : []),
		item('label', entry.label === null ? m.tree_do_label() : m.tree_do_rename_label(), IconTag, 'F2'),
		...(entry.label === null ? [] : [item('unlabel', m.tree_do_unlabel(), IconTag)]),
		...(canCompare ? [item('compare', compareLabel, IconCompare, m.tree_key_space())] : []),
		...(copyStep === 'under' && isBusy ? [] : [item('copy', copyLabels[copyStep], IconCopy, 'Ctrl C')]),
		item('fork', m.tree_do_fork(), IconFork),
		...(entry.size > 1 ? [item('fork-below', m.tree_do_fork_below(), IconForkBelow)] : []),
		...(isBusy
			? []
			: [
					item('delete', m.tree_do_delete(), IconTrash, 'Del', true),
					item('delete-branch', m.tree_do_delete_branch(), IconScissors, '⇧ Del', true)
				])
	];
}
