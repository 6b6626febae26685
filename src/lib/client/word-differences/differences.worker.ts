// Finds the differences of two texts away from the page, which a long pair would hold up. One pair at a time. SPEC.md WORD-06.
import { findDifferences, type Differences } from './find-differences.ts';

export interface DifferencesAsked {
	readonly id: number;
	readonly a: string;
	readonly b: string;
}

export interface DifferencesAnswered {
	readonly id: number;
	readonly differences: Differences;
}

self.addEventListener('message', ({ data }: MessageEvent<DifferencesAsked>) => {
	const answer: DifferencesAnswered = { id: data.id, differences: findDifferences(data.a, data.b) };
	self.postMessage(answer);
});
