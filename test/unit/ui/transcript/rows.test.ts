import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import type { ToolStatus } from '#protocol/message.ts';
import type { ToolView } from '#protocol/tool-view.ts';
import { fallbackTheme } from '../../../../src/ui/theme/theme.ts';
import type { Cell } from '../../../../src/ui/transcript/cell.ts';
import { formatDuration } from '../../../../src/ui/transcript/cells/tool.ts';
import { toolLineSpans } from '../../../../src/ui/transcript/cells/tool-line.ts';
import { hintRow } from '../../../../src/ui/transcript/hint.ts';
import { renderCell } from '../../../../src/ui/transcript/render-cell.ts';
import { diffRows } from '../../../../src/ui/transcript/views/diff-view.ts';
import { changedWords } from '../../../../src/ui/transcript/views/word-diff.ts';
import { welcomeRows } from '../../../../src/ui/transcript/welcome.ts';

const theme = fallbackTheme({ colorLevel: 'ansi16' });
const plain = (row: string) => row.replaceAll(/\x1b\[[0-9;]*m/g, '');
const highlight = () => undefined;

const nasty = fc.string({
  unit: fc.constantFrom(
    'a',
    'word ',
    '漢字',
    '👩‍💻',
    '\t',
    '\n',
    '\r\n',
    '\x1b[2J',
    '\x9b',
    '\u202e',
    '/',
    '**',
    '`',
    '| ',
    '- ',
    'é',
    '\ud800',
    '\0',
    '🇩🇪',
    '한',
    'ﷺ',
  ),
  maxLength: 30,
});
const view: fc.Arbitrary<ToolView> = fc.oneof(
  nasty.map((text) => ({ kind: 'text' as const, text })),
  nasty.map((text) => ({ kind: 'markdown' as const, text })),
  fc.tuple(nasty, nasty, nasty).map(([a, b, c]) => ({
    kind: 'diff' as const,
    path: a,
    change: 'modify' as const,
    hunks: [
      {
        oldStart: 9,
        newStart: 9,
        lines: [
          { op: ' ' as const, text: a },
          { op: '-' as const, text: b },
          { op: '+' as const, text: c },
        ],
      },
    ],
    added: 1,
    removed: 1,
    omittedLines: 3,
  })),
  fc.array(nasty, { maxLength: 4 }).map((paths) => ({
    kind: 'files' as const,
    files: paths.map((path, at) => (at % 2 ? { path, detail: path } : { path })),
    total: 9,
  })),
  fc.array(nasty, { minLength: 1, maxLength: 5 }).map((cells) => ({
    kind: 'table' as const,
    columns: cells,
    rows: [cells, cells.slice(1)],
  })),
  fc
    .tuple(nasty, fc.boolean(), fc.option(fc.integer({ min: 0, max: 255 })))
    .map(([output, running, exitCode]) => ({
      kind: 'terminal' as const,
      command: output,
      output: output.repeat(4),
      omittedLines: 2,
      outputPath: output,
      exitCode,
      signal: null,
      running,
    })),
  nasty.map((path) => ({ kind: 'image' as const, mediaType: path, path, bytes: 20_000 })),
);
const status = fc.constantFrom<ToolStatus>('ok', 'error', 'denied', 'aborted');
const toolPart = fc
  .record({
    tool: nasty,
    title: fc.option(nasty),
    view: fc.option(view),
    status,
    summary: fc.option(nasty),
    text: nasty,
  })
  .map(({ tool, title, view: shown, status: how, summary, text }) => ({
    kind: 'tool-call' as const,
    id: 'p',
    callId: 'c',
    tool,
    input: { text },
    ...(title === null ? {} : { title }),
    result: {
      status: how,
      forModel: [{ kind: 'text' as const, text }],
      durationMs: 1234,
      ...(shown === null ? {} : { view: shown }),
      ...(summary === null ? {} : { summary }),
    },
  }));
const cell: fc.Arbitrary<Cell> = fc.oneof(
  nasty.map(
    (text): Cell => ({
      id: 'x',
      kind: 'user',
      message: {
        id: 'x',
        role: 'user',
        createdAt: 1,
        parts: [{ kind: 'text', id: 't', text: text.repeat(3) }],
      },
    }),
  ),
  nasty.map(
    (text): Cell => ({ id: 'x', kind: 'text', part: { kind: 'text', id: 't', text }, isLive: false }),
  ),
  nasty.map(
    (text): Cell => ({
      id: 'x',
      kind: 'reasoning',
      part: { kind: 'reasoning', id: 't', text },
      liveSince: 5,
    }),
  ),
  toolPart.map((part): Cell => ({ id: 'x', kind: 'tool', part, phase: null, run: undefined })),
  fc.tuple(toolPart, view).map(
    ([{ result: _, ...part }, progress]): Cell => ({
      id: 'x',
      kind: 'tool',
      part,
      phase: 'running',
      run: { startedAt: 1, progress },
    }),
  ),
  fc
    .array(toolPart, { minLength: 1, maxLength: 3 })
    .map((calls): Cell => ({ id: 'x', kind: 'tool-group', calls })),
  nasty.map((text): Cell => ({ id: 'x', kind: 'notice', level: 'warning', text })),
  nasty.map((text): Cell => ({ id: 'x', kind: 'turn-end', reason: 'error', text })),
  nasty.map(
    (text): Cell => ({
      id: 'x',
      kind: 'shell',
      source: { command: text, output: text, failure: 'exit 1' },
      since: null,
    }),
  ),
  nasty.map(
    (text): Cell => ({ id: 'x', kind: 'compaction', summary: text, tokensBefore: 40_000, tokensAfter: 900 }),
  ),
  fc
    .constantFrom('length', 'aborted', 'lost')
    .map((reason): Cell => ({ id: 'x', kind: 'cut', reason: reason as 'lost' })),
);

test('no row of any cell is wider than the window, holds a control or is missing', () => {
  fc.assert(
    fc.property(cell, fc.integer({ min: 14, max: 150 }), fc.boolean(), (made, width, expanded) => {
      const { rows } = renderCell(made, { width, theme, expanded, highlight });
      for (const row of rows) {
        const text = plain(typeof row === 'string' ? row : row.draw({ frame: 3, now: 60_000 }));
        expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e]/);
        expect(textWidth(text)).toBeLessThanOrEqual(width);
      }
    }),
    {
      numRuns: 600,
      // A tab is drawn as a blank.
      examples: [[{ id: 'x', kind: 'turn-end', reason: 'error', text: '| \t- 漢字word ' }, 14, false]],
    },
  );
});

test('the welcome and the hint keep to the window', () => {
  const input = {
    version: '0.1.0',
    cwdLabel: '/some/very/long/path/to/a/project/漢字',
    model: 'provider/a-very-long-model-name',
    hints: ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => ({ key, text: 'what this key does and why' })),
  };
  for (let width = 10; width < 120; width += 7) {
    const rows = welcomeRows(input, { width, theme });
    expect(rows.length).toBeLessThanOrEqual(8);
    for (const row of [...rows, hintRow({ newRows: 1_000, newestKey: 'ctrl+end' }, { width, theme })])
      expect(textWidth(plain(row))).toBeLessThanOrEqual(width);
  }
});

test('a tool line keeps what counts when there is little room', () => {
  const line = (width: number) =>
    toolLineSpans(
      {
        mark: '▸',
        markToken: 'dim',
        name: 'read_file',
        title: 'src/very/long/path/to/the/file.ts',
        outcome: [{ text: '84 lines', style: {} }],
        right: '0.1s',
      },
      width,
    )
      .map(({ text }) => text)
      .join('');
  expect(line(100)).toMatch(
    /^ {4}▸ read_file {7}src\/very\/long\/path\/to\/the\/file\.ts {2}84 lines +0\.1s$/,
  );
  expect(line(100)).toHaveLength(98);
  expect(line(50)).toBe('  ▸ read_file  …h/to/the/file.ts  84 lines    0.1s');
  expect(line(20).trimEnd()).toBe('  ▸ read_file  …ts');
});

test('durations are as short as they can be', () => {
  expect([20, 110, 2_400, 9_960, 65_000].map(formatDuration)).toEqual(['', '0.1s', '2.4s', '9s', '1m 05s']);
});

test('in a diff each line has its number, and only words that changed stand out', () => {
  const rows = diffRows(
    {
      kind: 'diff',
      path: 'a.ts',
      change: 'modify',
      added: 2,
      removed: 1,
      hunks: [
        {
          oldStart: 9,
          newStart: 9,
          lines: [
            { op: ' ', text: 'a' },
            { op: '-', text: 'const total = one' },
            { op: '+', text: 'const total = two' },
            { op: '+', text: '' },
          ],
        },
      ],
    },
    40,
  );
  expect(rows.map((row) => row.map(({ text }) => text).join(''))).toEqual([
    ' 9     a',
    '10  −  const total = one',
    '10  +  const total = two',
    '11  +  ',
  ]);
  expect(rows[2]?.filter(({ style }) => style.token === 'diffAddedWord').map(({ text }) => text)).toEqual([
    'two',
  ]);
});

test('lines that have nothing in common are not compared', () => {
  const lines = [
    { op: '-' as const, text: 'alpha beta gamma' },
    { op: '+' as const, text: 'one two three' },
  ];
  expect(changedWords(lines).size).toBe(0);
});

test('a message of thousands of lines shows its beginning and counts the rest', () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join('\n');
  const parts = [{ kind: 'text' as const, id: 't', text }];
  const user: Cell = { id: 'x', kind: 'user', message: { id: 'x', role: 'user', createdAt: 1, parts } };
  const rowsOf = (expanded: boolean) => renderCell(user, { width: 80, theme, expanded, highlight });
  const folded = rowsOf(false);
  expect(folded.rows).toHaveLength(13);
  expect(plain(String(folded.rows.at(-1)))).toContain('… 4,988 more lines');
  expect(folded.canExpand).toBe(true);
  const open = rowsOf(true);
  expect(open.rows).toHaveLength(4_001);
  expect(plain(String(open.rows.at(-1)))).toContain('… 1,000 more lines not shown');
});

test('a diff shows what would not be seen', () => {
  const text = 'if (admin\u202e) {\t\x1b[8m// \u200bplain\r caf\u00e9 👩‍💻';
  const lines = [{ op: '+' as const, text }];
  const hunks = [{ oldStart: 1, newStart: 1, lines }];
  const rows = diffRows({ kind: 'diff', path: 'a.ts', change: 'create', added: 1, removed: 0, hunks }, 90);
  expect(rows.map((row) => row.map((piece) => piece.text).join(''))).toEqual([
    '1  +  if (admin\\u{202e}) {    \\x1b[8m// \\u{200b}plain\\r café 👩‍💻',
  ]);
});

test('what goes wrong is told with names as they are', () => {
  const said = (level: 'warning' | 'info', text: string) =>
    renderCell(
      { id: 'n', kind: 'notice', level, text },
      { width: 80, theme, expanded: false, highlight },
    ).rows.map((row) => plain(String(row)).trim());
  expect(said('warning', 'There is no model "__proto__" or *a* [b](c) \\_d; `/model`')).toEqual([
    '! There is no model "__proto__" or *a* [b](c) \\_d; /model',
  ]);
  expect(said('info', '**bold**')).toEqual(['· bold']);
});

test('of a line without an end only the beginning and the end are laid out', () => {
  const text = `begin ${'x'.repeat(3_000_000)} end`;
  const user: Cell = {
    id: 'u',
    kind: 'user',
    message: { id: 'u', role: 'user', parts: [{ id: 'p', kind: 'text', text }], createdAt: 0 },
  };
  const look = { width: 100, theme, expanded: true, highlight };
  const rows = renderCell(user, look).rows.map((row) => plain(String(row)));
  expect(rows.length).toBeLessThan(400);
  expect(rows.join('')).toContain('characters not shown');
  expect(rows.at(-1)).toContain('end');
});
