import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '#lib/json-text.ts';
import { cleanName } from '#lib/terminal-text.ts';
import { hostileTexts } from '../../support/e2e/hostile-strings.ts';

test('is plain text for a terminal and reads back as the same value', () => {
  for (const text of hostileTexts()) {
    const json = jsonText({ [text]: [text, 1, null] });
    expect(JSON.parse(json)).toEqual({ [text]: [text, 1, null] });
    expect(json).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u{e0000}-\u{e0fff}]/u);
  }
});

test('any value reads back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('plain text is left alone', () => {
  const value = { name: 'café 漢字 👍', list: [1, 'a\nb'] };
  expect(jsonText(value)).toBe(JSON.stringify(value));
  expect(cleanName(jsonText(value))).toBe(jsonText(value));
});
