// The one configuration of marked: GitHub's Markdown plus formulas, footnotes as they are written. Pure, runs anywhere.
import { Lexer, Marked, Parser, type Links } from 'marked';
import { footnoteSyntax } from './footnote-syntax.ts';
import { mathSyntax } from './math-syntax.ts';

export type { Links };

/** What this folder reads of marked's tokens. */
export interface Token {
	type: string;
	raw: string;
	text?: string;
	tokens?: Token[];
	/** Entries of a list. */
	items?: Token[];
	/** Cells of a table below its header. */
	rows?: { text: string }[][];
	/** Info string of fenced code. */
	lang?: string;
	/** Label of a definition. */
	tag?: string;
	href?: string;
	title?: string | null;
	/** A formula without its closing delimiter. */
	tentative?: boolean;
}

const options = new Marked({ gfm: true, renderer: { checkbox: renderCheckbox } }, mathSyntax(), footnoteSyntax()).defaults;

/** Lines that nest quotes and lists deeper than marked's recursion and any reader can follow. */
const tooDeep = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){50}|^[ \t]{200,}(?:[-+*>]|\d{1,9}[.)])/m;

/**
 * Tokens of `text`. `knownLinks` are reference definitions met before it; those met in it are in the
 * answer's `links`. A text that nests too deep is one block of code.
 */
export function lexMarkdown(text: string, knownLinks: Links): Token[] & { links: Links } {
	const lexer = new Lexer(options);
	Object.assign(lexer.tokens.links, knownLinks);
	if (!tooDeep.test(text)) return lexer.lex(text);
	return Object.assign([{ type: 'code', raw: text, text }], { links: lexer.tokens.links });
}

/** HTML that nobody has sanitised yet: for the sanitiser and for tests only. */
export function tokensToHtml(tokens: readonly Token[]): string {
	return Parser.parse([...tokens], options);
}

/** A check mark is text, so that a message holds no form control. */
function renderCheckbox({ checked }: { checked: boolean }): string {
	return checked ? '<span class="task-done">☑</span> ' : '<span class="task-open">☐</span> ';
}
