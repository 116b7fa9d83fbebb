import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expandTabs, takeWidth, textWidth, truncateEnd, truncateStart } from '#lib/text-width.ts';
import { breakRuns, wrapRuns, wrapText } from '#lib/wrap.ts';

const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'word',
    ' ',
    ' ',
    '漢',
    '字',
    '。',
    '👩‍💻',
    'é',
    '(',
    '❤️',
    '한',
    '-',
    'ｱ',
    'e\u0301',
  ),
  maxLength: 60,
});

test('words stay whole and blanks at a break vanish', () => {
  expect(wrapText('the quick  brown fox', 10)).toEqual(['the quick', 'brown fox']);
  expect(wrapText('  indented text', 20)).toEqual(['  indented text']);
  expect(wrapText('a\n\nb', 5)).toEqual(['a', '', 'b']);
});

test('a word longer than the row is broken', () => {
  expect(wrapText('see abcdefghij', 4)).toEqual(['see', 'abcd', 'efgh', 'ij']);
});

test('a word that changes its style in the middle is one word', () => {
  const rows = wrapRuns(
    [
      { text: 'one tw', style: 1 },
      { text: 'o three', style: 2 },
    ],
    6,
  );
  expect(rows.map((row) => row.map((run) => run.text).join(''))).toEqual(['one', 'two', 'three']);
});

test('wide characters wrap anywhere, but punctuation does not begin a row', () => {
  expect(wrapText('漢字漢字。漢字', 8)).toEqual(['漢字漢', '字。漢字']);
  expect(wrapText('漢字漢字漢字', 5)).toEqual(['漢字', '漢字', '漢字']);
});

test('no row is wider than asked and no letter is lost', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 20 }), (source, width) => {
      const wrapped = wrapText(source, width);
      for (const row of wrapped) expect(textWidth(row)).toBeLessThanOrEqual(width);
      expect(wrapped.join('').replaceAll(' ', '')).toBe(source.replaceAll(' ', ''));
      const broken = breakRuns([{ text: source, style: 0 }], width).map((row) =>
        row.map((run) => run.text).join(''),
      );
      for (const row of broken) expect(textWidth(row)).toBeLessThanOrEqual(width);
      expect(broken.join('')).toBe(source);
    }),
  );
});

test('cutting never splits a character and says that something is missing', () => {
  expect(truncateEnd('abcdef', 4)).toBe('abc…');
  expect(truncateEnd('漢字漢字', 4)).toBe('漢…');
  expect(truncateEnd('ab', 4)).toBe('ab');
  expect(truncateStart('src/cart/total.ts', 9)).toBe('…total.ts');
  expect(takeWidth('a👩‍💻b', 2)).toBe('a');
  expect(truncateEnd('x'.repeat(1_000_000), 3)).toBe('xx…');
});

test('tabs go to the next stop', () => {
  expect(expandTabs('a\tb\t\tc')).toBe('a   b       c');
  expect(expandTabs('ab\n\tc\nabc\td')).toBe('ab\n    c\nabc d');
});
