// Makes MathML of TeX with Temml. Loaded when the first formula is met; runs in a tab. Keeps MD-33 and MD-34 (threat T1).
import temml from 'temml';

/** Answers undefined for TeX that has an error. */
export type TexToMath = (tex: string, options: { readonly display: boolean }) => MathMLElement | undefined;

const mathNamespace = 'http://www.w3.org/1998/Math/MathML';
const longestTex = 5000;

const allowedElements = new Set([
	...['math', 'maction', 'menclose', 'merror', 'mfrac', 'mi', 'mmultiscripts', 'mn', 'mo', 'mover', 'mpadded', 'mphantom', 'mprescripts'],
	...[
		'mroot',
		'mrow',
		'mspace',
		'msqrt',
		'mstyle',
		'msub',
		'msubsup',
		'msup',
		'mtable',
		'mtd',
		'mtext',
		'mtr',
		'munder',
		'munderover',
		'none'
	]
]);
const allowedAttributes = new Set([
	...['accent', 'accentunder', 'columnalign', 'columnspacing', 'depth', 'display', 'displaystyle', 'fence', 'form', 'height', 'largeop'],
	...[
		'linebreak',
		'linethickness',
		'lspace',
		'mathbackground',
		'mathcolor',
		'mathsize',
		'mathvariant',
		'maxsize',
		'minsize',
		'movablelimits'
	],
	...['notation', 'rowspacing', 'rspace', 'scriptlevel', 'separator', 'stretchy', 'symmetric', 'voffset', 'width']
]);
/** What Temml sets to place and rule parts; none of them can hold an address once parentheses are refused. */
const allowedStyles = [
	...[
		'padding-left',
		'padding-right',
		'padding-top',
		'padding-bottom',
		'margin-left',
		'width',
		'height',
		'color',
		'background-color',
		'font-weight'
	],
	...['border-top-width', 'border-top-style', 'border-right-width', 'border-right-style', 'border-bottom-width', 'border-bottom-style'],
	...['border-left-width', 'border-left-style', 'text-align', 'math-depth', 'math-style', 'math-shift']
];
const allowedClass = /^(?:tml|wbk|ff|math|menclose)[\w-]*$/;

export function texToMath(tex: string, options: { readonly display: boolean }): MathMLElement | undefined {
	if (tex === '' || tex.length > longestTex) return undefined;
	const holder = document.createElement('span');
	try {
		temml.render(tex, holder, {
			displayMode: options.display,
			throwOnError: true,
			trust: false,
			maxExpand: 500,
			maxSize: [20, 100],
			// Display formulas scroll; they never break into several.
			wrap: options.display ? 'none' : 'tex'
		});
	} catch {
		// A ParseError for TeX with an error; some unusual input makes Temml throw a TypeError.
		return undefined;
	}
	const rendered = holder.querySelector(':scope > math');
	if (!rendered || holder.childElementCount !== 1 || rendered.querySelector('.temml-error, merror')) return undefined;
	return copyAllowed(rendered);
}

/** A copy that holds MathML alone: other elements are dropped with what is in them, other attributes stay behind. */
function copyAllowed(original: Element): MathMLElement {
	const copy = document.createElementNS(mathNamespace, original.localName);
	for (const { name, value } of original.attributes) {
		if (allowedAttributes.has(name)) copy.setAttribute(name, value);
	}
	const classes = [...original.classList].filter((name) => allowedClass.test(name));
	if (classes.length > 0) copy.setAttribute('class', classes.join(' '));
	if (original instanceof MathMLElement) copyStyles(original, copy);
	for (const child of original.childNodes) {
		if (child instanceof Text) copy.append(child.data);
		else if (child instanceof Element && child.namespaceURI === mathNamespace && allowedElements.has(child.localName)) {
			copy.append(copyAllowed(child));
		}
	}
	return copy;
}

function copyStyles(original: MathMLElement, copy: MathMLElement): void {
	for (const property of allowedStyles) {
		const value = original.style.getPropertyValue(property);
		if (value !== '' && (!value.includes('(') || value.startsWith('rgb'))) copy.style.setProperty(property, value);
	}
}
