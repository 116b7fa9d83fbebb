import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import type { SpanRow } from '../../../../src/ui/markdown/blocks.ts';
import { createLiveMarkdown } from '../../../../src/ui/markdown/live-markdown.ts';
import { markdownRows } from '../../../../src/ui/markdown/markdown.ts';
import type { MarkdownContext } from '../../../../src/ui/markdown/markdown-context.ts';

const plain = (row: SpanRow) => row.map(({ text }) => text).join('');
const context = (width: number): MarkdownContext => ({
  width,
  showsMarks: false,
  highlight: (code) =>
    code.split('\n').map((text) => (text === '' ? [] : [{ text, style: { token: 'codeText' } }])),
});
const shown = (text: string, width = 40) => markdownRows(text, context(width)).rows.map(plain);
const live = (width: number) => createLiveMarkdown({ context: context(width), finishRow: plain });

const corpus = path.resolve(import.meta.dirname, '../../../../../shared/corpora/terminal-cases.jsonl');
type Case = { kind: string; title: string; input: string; expect: string; also_ok: string[] };

describe.skipIf(!existsSync(corpus))(
  'links of the terminal corpus (skipped: the corpus is not at hand)',
  () => {
    const cases = existsSync(corpus)
      ? readFileSync(corpus, 'utf8')
          .split('\n')
          .filter((line) => line.includes('"markdown-link"'))
          .map((line) => JSON.parse(line) as Case)
      : [];
    test.each(cases.map((row) => [row.title, row] as const))('%s', (_title, row) => {
      expect([row.expect, ...row.also_ok]).toContain(shown(row.input, 200).join('\n'));
    });
  },
);

test('a document has air between its blocks and none inside them', () => {
  const text = '# Title\nIntro:\n- one\n- two\n\nPara\n\n```ts\nlet a;\n\nlet b;\n```\n> quote\n\n---';
  expect(shown(text)).toEqual([
    'Title',
    'Intro:',
    '• one',
    '• two',
    '',
    'Para',
    '',
    '  let a;',
    '',
    '  let b;',
    '',
    '│ quote',
    '',
    '────────────────────────',
  ]);
});

test('items hang behind their marks, also nested, numbered and ticked', () => {
  const text = '9. first item that is long\n10. second\n    - [x] done\n    - [ ] open task here';
  expect(shown(text, 16)).toEqual([
    ' 9. first item',
    '    that is long',
    '10. second',
    '    ☑ done',
    '    ☐ open task',
    '      here',
  ]);
});

test('a table that is too wide wraps its cells, and becomes a list where even that has no room', () => {
  const text = '| name | what it does |\n|---|---|\n| alpha | the quick brown fox jumps |\n| b | c |';
  expect(shown(text, 24)).toEqual(
    [
      'name  │ what it does',
      '──────┼─────────────────',
      'alpha │ the quick brown',
      '      │ fox jumps',
      'b     │ c',
    ].map((row) => row.padEnd(24)),
  );
  expect(shown('| a | b | c |\n|---|---|---|\n| one | two | three |', 10)).toEqual([
    'a: one',
    'b: two',
    'c: three',
  ]);
});

test('HTML and references are shown as text and do nothing', () => {
  expect(shown('a <script>alert(1)</script> b')).toEqual(['a <script>alert(1)</script> b']);
  expect(shown('<div onclick="x">\nhi\n</div>')).toEqual(['  <div onclick="x">', '  hi', '  </div>']);
  expect(shown('x &#27;[31m &lt;y&gt;')).toEqual(['x  <y>']);
});

test('wide characters and emoji keep to the width', () => {
  expect(shown('漢字漢字漢字 👩‍💻👩‍💻', 8)).toEqual(['漢字漢字', '漢字 👩‍💻', '👩‍💻']);
});

const inline = fc.constantFrom(
  'word',
  '**bold**',
  '*it*',
  '`code`',
  '[t](http://a.b)',
  '漢字',
  '👩‍💻',
  '~~s~~',
  'longlonglonglongword',
  '<b>',
  '&lt;',
);
const line = fc.array(inline, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
const block = fc.oneof(
  line,
  line.map((text) => `## ${text}`),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => items.map((item, at) => `${at + 1}. ${item}\n   - ${item}`).join('\n')),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => `\`\`\`ts\n${lines.join('\n')}\n\`\`\``),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `~~~\n\tx\n${lines.join('\n\n')}\n~~~`),
  line.map((text) => `> ${text}\n> more`),
  fc.tuple(line, line).map(([a, b]) => `| a | b |\n|---|--:|\n| ${a} | ${b} |`),
  fc.constantFrom('---', '<div>\nx\n</div>', '    indented'),
);
const document = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join('\n\n'));

test('no row of any document is wider than asked', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 8, max: 60 }), (text, width) => {
      for (const row of shown(text, width)) expect(textWidth(row)).toBeLessThanOrEqual(width);
    }),
  );
});

test('however a document is cut into chunks, its rows are those of the whole', () => {
  fc.assert(
    fc.property(document, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (text, sizes) => {
      const growing = live(30);
      let rows: readonly string[] = [];
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        at = Math.min(text.length, at + (sizes[turn % sizes.length] ?? 1));
        rows = growing.update(text.slice(0, at));
      }
      expect(rows).toEqual(shown(text, 30));
    }),
    { numRuns: 300 },
  );
});

test('a token costs the same at the end of a long answer as at its start', () => {
  const section = (at: number) =>
    `## Part ${at}\n\nSome **words** of prose that go on for a while.\n\n- one\n- two\n\n\`\`\`ts\nconst a = ${at};\n\`\`\`\n\n`;
  const text = Array.from({ length: 400 }, (_, at) => section(at)).join('');
  let finished = 0;
  const growing = createLiveMarkdown({
    context: context(80),
    finishRow: (row) => {
      finished += 1;
      return plain(row);
    },
  });
  let most = 0;
  for (let at = 0; at < text.length; at += 12) {
    finished = 0;
    growing.update(text.slice(0, at));
    most = Math.max(most, finished);
  }
  expect(most).toBeLessThan(20);
});

test('code that streams is rendered line by line', () => {
  let finished = 0;
  const growing = createLiveMarkdown({
    context: context(80),
    finishRow: (row) => {
      finished += 1;
      return plain(row);
    },
  });
  const lines = Array.from({ length: 1_000 }, (_, at) => `line ${at}`);
  const text = `text\n\n\`\`\`\n${lines.join('\n')}`;
  for (let at = 0; at < text.length; at += 10) growing.update(text.slice(0, at));
  expect(finished).toBeLessThan(4 * lines.length);
  expect(growing.update(text)).toEqual(['text', '', ...lines.map((row) => `  ${row}`)]);
});

test('controls that come in pieces never reach a row', () => {
  const growing = live(40);
  const text = 'safe \x1b]52;c;QUJD\x07text\r\nnext \x1b[31mred\x1b[0m \u202edone';
  for (let at = 1; at <= text.length; at += 1)
    for (const row of growing.update(text.slice(0, at)))
      expect(row).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
  expect(growing.update(text)).toEqual(['safe text', 'next red done']);
});

test('hostile nesting is shown as plain text and costs no time', () => {
  const started = performance.now();
  for (const text of [
    '>'.repeat(20_000),
    '['.repeat(20_000),
    '*'.repeat(20_000),
    '- '.repeat(20_000),
    '`'.repeat(20_000),
    '|a'.repeat(20_000),
    '<'.repeat(20_000),
  ])
    expect(shown(text, 80).length).toBeGreaterThan(0);
  expect(performance.now() - started).toBeLessThan(8_000);
});
