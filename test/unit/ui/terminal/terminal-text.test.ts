import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanCommand, cleanName, cleanText, isCleanText } from '#lib/terminal-text.ts';

const corpus = path.resolve(import.meta.dirname, '../../../../../shared/corpora/terminal-cases.jsonl');
type Case = { id: string; kind: string; title: string; input: string; expect: string; also_ok: string[] };
const clean: Record<string, (text: string) => string> = {
  text: cleanText,
  name: cleanName,
  command: cleanCommand,
};

describe.skipIf(!existsSync(corpus))('terminal corpus (skipped: the corpus is not at hand)', () => {
  const cases = existsSync(corpus)
    ? readFileSync(corpus, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Case)
        .filter((row) => clean[row.kind])
    : [];
  test.each(cases.map((row) => [`${row.kind}: ${row.title}`, row] as const))('%s', (_title, row) => {
    const shown = clean[row.kind]?.(row.input);
    expect([row.expect, ...row.also_ok]).toContain(shown);
  });
});

const nasty = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\x1b',
      '[',
      ']',
      'P',
      '\x07',
      '\\',
      '\x9b',
      '\x9d',
      '\x9c',
      ';',
      '5',
      'm',
      '\r',
      '\n',
      '\u202e',
    ),
    fc.string({ minLength: 1, maxLength: 3, unit: 'binary' }),
  ),
  maxLength: 60,
});

test('no control but tab and newline is left in any text', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const shown = cleanText(text);
      expect(shown).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
      expect(isCleanText(shown)).toBe(true);
      expect(cleanText(shown)).toBe(shown);
    }),
  );
});

test('no control at all is left in a name, and only newlines in a command', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      expect(cleanName(text)).not.toMatch(/[\x00-\x1f\x7f-\xa0\u200b\u202a-\u202e\u2066-\u2069]/);
      expect(cleanCommand(text)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\xa0\u200b\u202a-\u202e]/);
    }),
  );
});

test('many unfinished sequences cost no more than one pass', () => {
  const started = performance.now();
  expect(cleanText('\x1b]'.repeat(200_000))).toBe('');
  expect(cleanText(`${'\x1b]0;x'.repeat(100_000)}\x07`)).toBe('');
  expect(performance.now() - started).toBeLessThan(2_000);
});

test('an emoji in a name stays whole, a joiner between letters is shown', () => {
  expect(cleanName('👩‍💻 ❤️.md')).toBe('👩‍💻 ❤️.md');
  expect(cleanName('a\u200db')).toBe('a\\u{200d}b');
});
