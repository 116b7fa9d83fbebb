import { expect, test } from 'vitest';
import { drawDialog } from '#ui/dialogs/draw-dialog.ts';
import { Scene, terminal } from '../../../ui/transcript/scene.ts';
import { setUp } from './set-up.ts';
import { down, enter } from './support.ts';

const scene = new Scene()
  .user('fix the total')
  .user('The engine says something.', { origin: 'engine' })
  .begin()
  .text('First:\n\n```ts\nconst net = 1;\nreturn net;\n```')
  .tool('bash', 'npm test', { view: terminal('1 failed\n\n', { command: 'npm test' }) })
  .tool('edit_file', 'src/a.ts', {
    view: {
      kind: 'diff',
      path: 'src/a.ts',
      change: 'modify',
      added: 1,
      removed: 0,
      hunks: [{ oldStart: 3, newStart: 3, lines: [{ op: '+', text: 'x' }] }],
    },
  })
  .end()
  .begin()
  .text('Done.')
  .end();

const open = () => {
  const all = setUp({ thread: scene.state });
  all.dialogs.open('copy');
  all.calm();
  return all;
};

test('everything of the conversation that can be copied is listed, the newest message first', () => {
  const { dialogs } = open();
  const rows = drawDialog(dialogs, { width: 90, maxRows: 24 })?.fitted.rows ?? [];
  const texts = rows.map((row) => ('spans' in row ? row.spans.map((span) => span.text).join('') : ''));
  expect(
    texts.filter((text) => / lines?$/.test(text)).map((text) => text.replaceAll(/ {2,}/g, ' | ')),
  ).toEqual([
    '❯ answer | Done. | 1 line',
    ' | answer | First: | 6 lines',
    ' | code | ts | const net = 1; | 2 lines',
    ' | command | npm test | 1 line',
    ' | output | npm test | 1 failed | 1 line',
    ' | diff | src/a.ts | --- src/a.ts | 4 lines',
    ' | prompt | fix the total | 1 line',
  ]);
});

test('what is chosen is copied as it was written; words find it', () => {
  const { press, outcomes } = open();
  press(down, enter);
  const other = open();
  other.press('net =', enter);
  expect([...outcomes, ...other.outcomes]).toEqual([
    { kind: 'copy', text: 'First:\n\n```ts\nconst net = 1;\nreturn net;\n```', what: 'the answer' },
    { kind: 'copy', text: 'const net = 1;\nreturn net;', what: 'the ts code block' },
  ]);
});
