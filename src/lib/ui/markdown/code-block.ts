// A code block: its language, a Copy button, and a body that scrolls sideways. Runs in a tab. Keeps MD-20 to MD-22.
import type { MarkdownLabels } from './labels.ts';

/** Names that differ from the word after the fence. */
const languageNames: Readonly<Record<string, string>> = {
	bash: 'Bash',
	c: 'C',
	cpp: 'C++',
	css: 'CSS',
	csv: 'CSV',
	diff: 'Diff',
	go: 'Go',
	html: 'HTML',
	java: 'Java',
	javascript: 'JavaScript',
	js: 'JavaScript',
	json: 'JSON',
	jsx: 'JSX',
	markdown: 'Markdown',
	md: 'Markdown',
	py: 'Python',
	python: 'Python',
	rs: 'Rust',
	rust: 'Rust',
	sh: 'Shell',
	shell: 'Shell',
	sql: 'SQL',
	svelte: 'Svelte',
	toml: 'TOML',
	ts: 'TypeScript',
	tsx: 'TSX',
	typescript: 'TypeScript',
	xml: 'XML',
	yaml: 'YAML',
	yml: 'YAML'
};

const copiedForMs = 2000;

/** `language` is the first word after the fence, empty where there is none. The code is one text node. */
export function createCodeBlock(text: string, language: string, labels: MarkdownLabels): HTMLElement {
	const box = createElement('div', 'code-block');
	// Code reads from left to right in every language.
	box.dir = 'ltr';
	const head = createElement('div', 'code-head');
	const name = Object.hasOwn(languageNames, language.toLowerCase()) ? languageNames[language.toLowerCase()] : language;
	const languageName = createElement('span', 'code-language');
	languageName.textContent = name || labels.code;
	const body = createElement('pre', 'code-body');
	body.tabIndex = 0;
	body.role = 'group';
	body.ariaLabel = name ? `${labels.code}: ${name}` : labels.code;
	const code = createElement('code', '');
	if (language) code.dataset['language'] = language;
	code.append(document.createTextNode(text));
	body.append(code);
	head.append(languageName, createCopyButton(code, labels));
	box.append(head, body);
	return box;
}

function createCopyButton(code: HTMLElement, labels: MarkdownLabels): HTMLElement {
	const button = createElement('button', 'code-copy');
	button.type = 'button';
	const label = createElement('span', '');
	label.textContent = labels.copy;
	button.append(createCopyIcon(), label);
	const showCopied = () => {
		label.textContent = labels.copied;
		setTimeout(() => (label.textContent = labels.copy), copiedForMs);
	};
	// Where the clipboard is closed to us, the code is selected for the person to copy.
	const selectCode = () => getSelection()?.selectAllChildren(code);
	button.addEventListener('click', () => {
		if (!isSecureContext) return selectCode();
		navigator.clipboard.writeText(code.textContent).then(showCopied, selectCode);
	});
	return button;
}

function createCopyIcon(): SVGElement {
	const icon = createSvg('svg', {
		viewBox: '0 0 24 24',
		width: '14',
		height: '14',
		fill: 'none',
		stroke: 'currentColor',
		'stroke-width': '2'
	});
	icon.setAttribute('class', 'code-icon');
	icon.setAttribute('aria-hidden', 'true');
	icon.append(
		createSvg('rect', { x: '9', y: '9', width: '12', height: '12', rx: '2' }),
		createSvg('path', { d: 'M5 15H4a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v1' })
	);
	return icon;
}

function createSvg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
	const element = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
	return element;
}

function createElement<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
	const element = document.createElement(name);
	if (className) element.className = className;
	return element;
}
