// Brings an element's children to those of a new fragment and keeps the nodes that stay equal, so that selection, scrolling and
// opened details survive while a block grows. Runs in a tab. Keeps MD-08.

/** Empties `next`: nodes that `target` lacks are moved into it. */
export function patchChildren(target: ParentNode & Node, next: ParentNode & Node): void {
	let kept = target.firstChild;
	let fresh = next.firstChild;
	while (kept && fresh && becomes(kept, fresh)) {
		kept = kept.nextSibling;
		fresh = fresh.nextSibling;
	}
	while (kept) {
		const following: ChildNode | null = kept.nextSibling;
		kept.remove();
		kept = following;
	}
	while (fresh) {
		const following: ChildNode | null = fresh.nextSibling;
		target.append(fresh);
		fresh = following;
	}
}

/** Makes `kept` equal to `fresh` where it can stay the node it is. */
function becomes(kept: ChildNode, fresh: ChildNode): boolean {
	if (kept.isEqualNode(fresh)) return true;
	if (kept instanceof Text && fresh instanceof Text) {
		kept.data = fresh.data;
		return true;
	}
	// Boxes with listeners (code, images) are made anew instead.
	if (!(kept instanceof HTMLElement && fresh instanceof HTMLElement) || fresh.matches('.code-block, .remote-image')) return false;
	if (!kept.cloneNode(false).isEqualNode(fresh.cloneNode(false))) return false;
	patchChildren(kept, fresh);
	return true;
}
