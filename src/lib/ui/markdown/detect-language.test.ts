import { expect, test } from 'vitest';
import { detectLanguage } from './detect-language.ts';

test('MD-41 the script of a text tells its language', () => {
	expect(detectLanguage('快速排序由 Hoare 在 1960 年提出')).toBe('zh-CN');
	expect(detectLanguage('速いソートの平均計算量')).toBe('ja');
	expect(detectLanguage('빠른 정렬 알고리즘')).toBe('ko');
	expect(detectLanguage('The character 中 means middle in a long English sentence')).toBeUndefined();
	expect(detectLanguage('')).toBeUndefined();
});
