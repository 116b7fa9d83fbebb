import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ThinkSegment, ThinkTagSplitter } from '#providers/think-tags.ts';

/** What is left of a text that arrives in these pieces. */
function split(pieces: readonly string[]): { text: string; reasoning: string } {
  const splitter = new ThinkTagSplitter();
  const segments: ThinkSegment[] = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.end()];
  let text = '';
  let reasoning = '';
  for (const segment of segments) {
    if (segment.kind === 'retract') {
      reasoning += text;
      text = '';
    } else if (segment.kind === 'text') text += segment.text;
    else reasoning += segment.text;
  }
  return { text, reasoning };
}

describe('think tags', () => {
  test.each([
    ['<think>\nhm\n</think>\n\nYes.', { text: 'Yes.', reasoning: 'hm' }],
    ['\n<thinking>hm</thinking>Yes.', { text: 'Yes.', reasoning: 'hm' }],
    ['hm, so be it.</think>\nYes.', { text: 'Yes.', reasoning: 'hm, so be it.' }],
    ['<think>never closed', { text: '', reasoning: 'never closed' }],
    ['<think></think>Yes.', { text: 'Yes.', reasoning: '' }],
    ['Plain text with a < and a </thin.', { text: 'Plain text with a < and a </thin.', reasoning: '' }],
    ['The tag <think> comes late.', { text: 'The tag <think> comes late.', reasoning: '' }],
    ['Write `</think>` or "</think>".', { text: 'Write `</think>` or "</think>".', reasoning: '' }],
    ['<think>a</think>b</think>c', { text: 'b</think>c', reasoning: 'a' }],
  ])('%j', (text, expected) => {
    expect(split([text])).toEqual(expected);
  });

  test('give the same result wherever the text is cut', () => {
    const word = fc.constantFrom(
      '<think>',
      '</think>',
      '<thinking>',
      '</thinking>',
      '`',
      '"',
      '\n',
      ' ',
      'a',
      'é',
      '<',
      '/',
      'think>',
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.array(fc.nat(40), { maxLength: 8 }),
        (words, cuts) => {
          const text = words.join('');
          const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].sort((a, b) => a - b);
          const pieces = [0, ...places].map((place, index) =>
            text.slice(place, places[index] ?? text.length),
          );
          expect(split(pieces)).toEqual(split([text]));
          expect(split([...text])).toEqual(split([text]));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('lose no visible character of an answer without tags', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('think'));
        expect(split([...text])).toEqual({ text, reasoning: '' });
      }),
    );
  });
});
