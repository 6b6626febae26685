// Turns HTML of unknown origin into inert DOM: scripts gone, addresses https, http or mailto, no class but our own marks.
// Runs in a tab. Keeps MD-10 to MD-13 (threats T1, T2, T5).
import DOMPurify, { type Config } from 'dompurify';

const allowedTags = [
	...[
		'a',
		'abbr',
		'b',
		'bdi',
		'blockquote',
		'br',
		'caption',
		'cite',
		'code',
		'col',
		'colgroup',
		'dd',
		'del',
		'details',
		'dfn',
		'div',
		'dl'
	],
	...[
		'dt',
		'em',
		'figcaption',
		'figure',
		'h1',
		'h2',
		'h3',
		'h4',
		'h5',
		'h6',
		'hr',
		'i',
		'img',
		'ins',
		'kbd',
		'li',
		'mark',
		'ol',
		'p',
		'pre'
	],
	...['q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody', 'td', 'tfoot', 'th'],
	...['thead', 'tr', 'u', 'ul', 'var', 'wbr']
];
const allowedAttributes = [
	'align',
	'alt',
	'class',
	'colspan',
	'href',
	'lang',
	'open',
	'reversed',
	'rowspan',
	'scope',
	'src',
	'start',
	'title'
];

const configuration: Config & { readonly RETURN_DOM_FRAGMENT: true } = {
	RETURN_DOM_FRAGMENT: true,
	ALLOWED_TAGS: allowedTags,
	ALLOWED_ATTR: allowedAttributes,
	ALLOW_DATA_ATTR: false,
	ALLOW_ARIA_ATTR: false,
	ALLOWED_URI_REGEXP: /^(?:https?|mailto|blob):/i,
	// Attributes whose values are no addresses, so that the expression above does not apply to them.
	ADD_URI_SAFE_ATTR: ['align', 'colspan', 'lang', 'open', 'reversed', 'rowspan', 'scope', 'start'],
	// Forbidden even if the lists above should ever grow.
	FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'svg', 'math', 'iframe'],
	FORBID_ATTR: ['style']
};

const ownClass = /^(?:language-[\w+#.-]{1,30}|math-inline|math-display|task-done|task-open)$/;
const linkSchemes = new Set(['https:', 'http:', 'mailto:']);

/** The fragment belongs to a document without a window: nothing in it loads until it is put into the page. */
export function sanitizeToFragment(html: string): DocumentFragment {
	// After visible content a <frameset> can no longer take the place of the body, which would leave no fragment at all.
	const fragment = DOMPurify.sanitize(`<wbr>${html}`, configuration);
	fragment.firstChild?.remove();
	for (const element of fragment.querySelectorAll('[class]')) {
		if (!ownClass.test(element.className)) element.removeAttribute('class');
	}
	for (const element of fragment.querySelectorAll('[href]')) {
		if (element.localName !== 'a' || !linkSchemes.has(schemeOf(element.getAttribute('href')))) element.removeAttribute('href');
	}
	for (const element of fragment.querySelectorAll('[src]')) {
		if (element.localName !== 'img') element.removeAttribute('src');
	}
	return fragment;
}

/** Scheme of an absolute address with its colon, in lower case; empty where there is none. */
export function schemeOf(address: string | null): string {
	return URL.parse(address ?? '')?.protocol ?? '';
}
