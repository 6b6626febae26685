// Cuts UTF-8 text that comes in pieces into lines. LF and CR LF end a line; a byte order mark is no part of the first.

/** A longer line is given as one NUL character, which no JSON reader takes: it loses itself and no memory. */
const maxLineChars = 64 * 1024 * 1024;
const tooLongLine = '\u0000';

export interface TextLines {
	push(bytes: Uint8Array): readonly string[];
	/** The line that no line end closed, if any. */
	end(): readonly string[];
}

export function createTextLines(limit: number = maxLineChars): TextLines {
	const decoder = new TextDecoder('utf-8');
	let open: string[] = [];
	let openChars = 0;

	function takeLine(): string {
		const line = openChars > limit ? tooLongLine : open.join('').replace(/\r$/, '');
		open = [];
		openChars = 0;
		return line;
	}

	function addText(text: string): readonly string[] {
		const lines: string[] = [];
		const pieces = text.split('\n');
		for (const [index, piece] of pieces.entries()) {
			if (index > 0) lines.push(takeLine());
			openChars += piece.length;
			if (openChars > limit) open = [];
			else if (piece !== '') open.push(piece);
		}
		return lines;
	}

	return {
		push: (bytes) => addText(decoder.decode(bytes, { stream: true })),
		end() {
			const lines = addText(decoder.decode());
			return openChars > 0 ? [...lines, takeLine()] : lines;
		}
	};
}
