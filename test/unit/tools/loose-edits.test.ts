import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceText } from '#tools/files/replace-text.ts';
import { textOf, toolBench } from './tool-bench.ts';

function edit(text: string, oldText: string, newText: string, replaceAll = false) {
  const outcome = replaceText({ text, eol: '\n', hasBom: false, oldText, newText, replaceAll });
  return outcome.kind === 'replaced' ? [outcome.text, outcome.tolerance] : outcome.kind;
}

describe('a text that does not stand there exactly', () => {
  test.each([
    ['trailing blanks in the file', 'a  \nb\t\nc\n', 'a\nb', 'a\nB', 'a  \nB\t\nc\n', 'trailing blanks'],
    ['trailing blanks in the old text', 'a\nb\nc\n', 'a \nb', 'x\nb', 'x\nb\nc\n', 'trailing blanks'],
    [
      'an indent that is left out',
      'f\n    a\n      b\n',
      'a\n  b',
      'a\n  c\n  d',
      'f\n    a\n      c\n      d\n',
      'indentation',
    ],
    ['an indent too much', 'a\n  b\n', '    a\n      b', '    x\n      b', 'x\n  b\n', 'indentation'],
    [
      'blanks for tabs',
      'if\n\ta\n\t\tb\n',
      '    a\n        b',
      '    a\n        c',
      'if\n\ta\n\t\tc\n',
      'indentation',
    ],
    [
      'tabs for blanks',
      'if\n    a\n        b\n',
      '\ta\n\t\tb',
      '\tx\n\t\tb',
      'if\n    x\n        b\n',
      'indentation',
    ],
    [
      'another Unicode form',
      'caf\u0065\u0301 = 1\n',
      'café = 1',
      'café = 2',
      'caf\u0065\u0301 = 2\n',
      'Unicode form',
    ],
    [
      'straight quotes for curly ones',
      '“a” – it’s\n',
      '"a" - it\'s',
      '"b" - it\'s',
      '“b” – it’s\n',
      'quote style',
    ],
  ])('%s', (_name, text, oldText, newText, after, tolerance) => {
    expect(edit(text, oldText, newText)).toEqual([after, tolerance]);
  });

  test.each([
    ['two places that fit', 'a \nx\na  \nx\n', 'a\nx', 'not_unique'],
    ['another indent of one line alone', '    run()\n', '\trun()', 'not_found'],
    ['indents that differ unevenly', 'a\n    b\n  c\n', ' a\n  b\n  c', 'not_found'],
    ['blanks within a line', 's = "a  b"\n', 's = "a b"', 'not_found'],
    ['half of a character', 'e\u0301\u0323x\n', '\u0301x', 'not_found'],
  ])('is refused for %s', (_name, text, oldText, kind) => {
    expect([edit(text, oldText, 'new'), edit(text, oldText, 'new', true)]).toEqual([kind, kind]);
  });

  test('only what is named changes, wherever it stands', () => {
    const line = fc.stringMatching(/^[a-c“”" \t]{0,8}$/);
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 8 }),
        fc.array(line, { minLength: 1, maxLength: 3 }),
        (lines, old) => {
          const text = lines.join('\n');
          const oldText = old.join('\n');
          const outcome = edit(text, oldText, `${oldText}!`);
          if (!Array.isArray(outcome)) return;
          // The one sign that came is all that is new, but for an indent that was given to it.
          const [after = ''] = outcome;
          expect(after.length - text.length).toBeGreaterThanOrEqual(1);
          expect(after.replace('!', '').replaceAll(/[ \t]/g, '')).toBe(text.replaceAll(/[ \t]/g, ''));
        },
      ),
    );
  });
});

test('the model is told what was not quite right, and of several edits which one failed', async () => {
  const bench = toolBench();
  writeFileSync(path.join(bench.folder, 'a.txt'), 'one  \ntwo\nthree\n');
  await bench.run('read_file', { path: 'a.txt' });
  const edits = [
    { old_string: 'one\ntwo', new_string: 'one\nTWO' },
    { old_string: 'three', new_string: 'THREE' },
  ];
  const failed = await bench.run('multi_edit', {
    path: 'a.txt',
    edits: [...edits, { old_string: 'gone', new_string: '' }],
  });
  expect(textOf(failed)).toMatch(/^Edit 3 of 3 failed, and none was made\. old_string was not found/);
  const done = await bench.run('multi_edit', { path: 'a.txt', edits });
  expect(textOf(done)).toBe(
    'Edited a.txt: 2 edits, 2 replacements. Edit 1: The old text fitted but for trailing blanks; around the change that of the file was kept.',
  );
  expect(done.summary).toBe('+2 −2');
});
