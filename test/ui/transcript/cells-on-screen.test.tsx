import { Terminal } from '@xterm/headless';
import { afterEach, expect, test } from 'vitest';
import { fallbackTheme } from '../../../src/ui/theme/theme.ts';
import { transcriptModel } from '../../../src/ui/transcript/transcript-model.ts';
import { Screen } from './screen.tsx';

const width = 60;
const height = 16;
let screen: Screen | undefined;
afterEach(() => screen?.close());

/** What a terminal shows after all that was written, beside what the rows say. */
async function compared(shown: Screen, terminal: Terminal): Promise<{ screen: string[]; rows: string[] }> {
  await shown.settle();
  const bytes = shown.output.frames.join('').replaceAll('\n', '\r\n');
  shown.output.frames.length = 0;
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: height }, (_, at) => buffer.getLine(at)?.translateToString(true) ?? '');
  const theme = fallbackTheme({ colorLevel: 'ansi16' });
  const { rows } = transcriptModel(shown.store).layout({ width, height, theme });
  const texts = rows.map((row) => (typeof row === 'string' ? row : row.draw({ frame: 0, now: 0 })));
  const plain = texts.map((text) => text.replaceAll(/\x1b\[[0-9;]*m/g, '').trimEnd());
  while (plain.length < height) plain.push('');
  return { screen: lines.map((line) => line.trimEnd()), rows: plain };
}

test('a stream of wide and narrow text leaves the right character in each cell', async () => {
  screen = new Screen({ width, height, debug: false });
  const terminal = new Terminal({ cols: width, rows: height + 2, allowProposedApi: true });
  const pieces = [
    '# 見出し\n\nSome **bold',
    ' 漢字** and `code 変数`',
    ' with a long tail of words that wraps',
    '\n\n- 項目',
    ' one\n- two',
    '\n\n| 名前 | value |\n|---|---|\n| 漢 | a |\n',
    '| b | 字字字 |\n\n',
    '```ts\nconst 値 = "x";\n',
    'let y;\n```\n\n',
    'é and ñ and ü, ',
    ...Array.from({ length: 20 }, (_, at) => `段落 ${at} text\n\n`),
  ];
  screen.scene.user('質問 one').turn().begin().textStart();
  for (const piece of pieces) {
    screen.scene.delta(piece);
    const { screen: cells, rows } = await compared(screen, terminal);
    expect(cells).toEqual(rows);
  }
  screen.actions.scroll(-9);
  await screen.settle();
  screen.actions.toNewest();
  screen.scene.textEnd(pieces.join('')).tool('bash', 'echo 漢字', { summary: '1 行' }).end().turnEnd();
  const { screen: cells, rows } = await compared(screen, terminal);
  expect(cells).toEqual(rows);
});

test('a stream never clears the screen, and one more token is a few bytes', async () => {
  screen = new Screen({ width, height, debug: false });
  screen.scene.user('go').turn().begin().textStart().delta('Some words to begin with. ');
  await screen.settle();
  screen.output.frames.length = 0;
  screen.scene.delta('more');
  await screen.settle();
  expect(screen.output.frames.join('').length).toBeLessThan(200);
  for (let at = 0; at < 60; at += 1) {
    screen.scene.delta(`line ${at}\n\n`);
    await screen.settle();
  }
  const bytes = screen.output.frames.join('');
  expect(bytes).not.toContain('\x1b[2J');
  expect(bytes).not.toContain('\x1b[3J');
  expect(bytes.length / 60).toBeLessThan(1_000);
});
