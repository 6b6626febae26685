// Colours code with highlight.js, whose tokens become DOM nodes, never HTML. Loaded when the first code block closes; runs in a
// tab. Keeps MD-25 and MD-26.
import highlightJs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Emitter } from 'highlight.js';

/** Answers undefined for a language that is not known. */
export type Highlight = (code: string, language: string) => DocumentFragment | undefined;

const languages = { bash, c, cpp, css, diff, go, java, javascript, json, markdown, python, rust, sql, typescript, xml, yaml };
/** Names that models write after a fence and highlight.js does not know as aliases. */
const aliases = { bash: ['shell', 'console', 'shellsession'], json: ['json5'], xml: ['vue', 'svelte'], python: ['python3'] };

export function createHighlighter(): Highlight {
	const instance = highlightJs.newInstance();
	instance.configure({ __emitter: FragmentEmitter });
	for (const [name, language] of Object.entries(languages)) instance.registerLanguage(name, language);
	for (const [languageName, names] of Object.entries(aliases)) instance.registerAliases(names, { languageName });
	return (code, language) => {
		if (!instance.getLanguage(language)) return undefined;
		const emitter = instance.highlight(code, { language, ignoreIllegals: true })._emitter;
		return emitter instanceof FragmentEmitter ? emitter.fragment : undefined;
	};
}

/** Receives the tokens of highlight.js and builds `<span class="hl-…">` around text nodes. */
class FragmentEmitter implements Emitter {
	readonly fragment = document.createDocumentFragment();
	#open: ParentNode & Node = this.fragment;

	addText(text: string): void {
		const last = this.#open.lastChild;
		if (last instanceof Text) last.appendData(text);
		else if (text !== '') this.#open.append(text);
	}

	/** `title.function` becomes the classes `hl-title hl-title-function`. */
	startScope(scope: string): void {
		const span = document.createElement('span');
		const [name = '', ...rest] = scope.split('.');
		span.className = [`hl-${name}`, ...rest.map((part) => `hl-${name}-${part.replace(/_+$/, '')}`)].join(' ');
		this.#open.append(span);
		this.#open = span;
	}

	endScope(): void {
		this.#open = this.#open.parentNode ?? this.fragment;
	}

	openNode(scope: string): void {
		this.startScope(scope);
	}

	closeNode(): void {
		this.endScope();
	}

	__addSublanguage(emitter: Emitter): void {
		if (emitter instanceof FragmentEmitter) this.#open.append(emitter.fragment);
	}

	finalize(): void {
		this.#open = this.fragment;
	}

	toHTML(): string {
		return '';
	}
}
