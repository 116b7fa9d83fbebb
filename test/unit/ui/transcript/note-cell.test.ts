import { expect, test } from 'vitest';
import { messageCells } from '#ui/transcript/message-cells.ts';

test.each([
  ['Plan mode is on. Change nothing.', 'Plan mode is on.'],
  [
    'The person remembered for this project: tests run with make',
    'The person remembered for this project: tests run with make',
  ],
  ['Remembered, perhaps about this:\n<memory>\n- a\n</memory>', 'Remembered, perhaps about this …'],
  ['x'.repeat(400), `${'x'.repeat(300)}…`],
])('of a note to the model its first sentence is shown: %s', (text, shown) => {
  const note = `<engine-note>\n${text}\n</engine-note>`;
  const message = {
    ...{ id: 'm', role: 'user' as const, origin: 'engine' as const, createdAt: 0 },
    parts: [{ id: 'p', kind: 'text' as const, text: note }],
  };
  const calls = { activeRuns: {}, permissions: [], questions: [], turnId: null };
  expect(messageCells(message, { isLive: false, calls })).toMatchObject([
    { kind: 'notice', text: `told the model: ${shown}` },
  ]);
});
