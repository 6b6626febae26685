// Images of a message. Only data: and blob: images show by themselves; a remote one waits for a click. Runs in a tab.
// Keeps MD-14 to MD-16 (threat T2).
import type { MarkdownLabels } from './labels.ts';
import { schemeOf } from './sanitize.ts';

/** Replaces every remote image of a sanitised fragment; call it before the fragment enters the page. */
export function holdBackRemoteImages(fragment: DocumentFragment, labels: MarkdownLabels): void {
	for (const image of fragment.querySelectorAll('img')) {
		const address = image.getAttribute('src');
		if (isEmbedded(address)) continue;
		const scheme = schemeOf(address);
		if (address !== null && (scheme === 'https:' || scheme === 'http:')) image.replaceWith(createImageButton(address, image.alt, labels));
		else image.replaceWith(image.alt);
	}
}

function isEmbedded(address: string | null): boolean {
	return address !== null && /^(?:data:image\/|blob:)/i.test(address);
}

function createImageButton(address: string, alt: string, labels: MarkdownLabels): HTMLElement {
	const button = document.createElement('button');
	button.type = 'button';
	button.className = 'remote-image';
	// Its words do not decide the direction of the text around it.
	button.dir = 'auto';
	// The whole address can be read before anything is sent to it.
	button.title = address;
	const action = document.createElement('span');
	action.className = 'remote-image-action';
	action.textContent = labels.loadImage;
	const name = document.createElement('span');
	name.textContent = alt;
	const host = document.createElement('span');
	host.className = 'remote-image-host';
	host.textContent = new URL(address).host;
	button.append(action, ...(alt ? [' ', name] : []), ' ', host);
	button.addEventListener('click', (event) => {
		// Inside a link or a summary the click means the image alone.
		event.preventDefault();
		button.replaceWith(loadImage(address, alt, labels));
	});
	return button;
}

function loadImage(address: string, alt: string, labels: MarkdownLabels): HTMLImageElement {
	const image = document.createElement('img');
	image.referrerPolicy = 'no-referrer';
	image.alt = alt;
	image.addEventListener('error', () => image.replaceWith(createImageLink(address, labels)), { once: true });
	image.src = address;
	return image;
}

function createImageLink(address: string, labels: MarkdownLabels): HTMLElement {
	const failure = document.createElement('span');
	failure.className = 'remote-image-failure';
	const link = document.createElement('a');
	link.href = address;
	link.rel = 'noopener noreferrer';
	link.target = '_blank';
	link.textContent = address;
	failure.append(labels.imageFailed, ' ', link);
	return failure;
}
