import { expect, it } from 'vitest';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { KeptChangeSet, RewindPreview } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { dialogSheet } from '#ui/dialogs/dialog-sheet.ts';
import { openRewind, type RewindDialog, reduceRewind } from '#ui/dialogs/rewind/rewind-dialog.ts';
import { enter, esc, press } from './support.ts';

const said = (id: string, text: string): ThreadState['messages'][number] => ({
  id,
  role: 'user',
  origin: 'person',
  createdAt: 0,
  parts: [{ id: `${id}.1`, kind: 'text', text }],
});
const changed = (promptId: string, names: string[], more: Partial<KeptChangeSet> = {}): KeptChangeSet => ({
  ...{ id: promptId, cause: 'call', title: 'edit_file a', promptId, list: '', files: names.length },
  ...{ names, at: 0, isUndone: false, ...more },
});
const thread: ThreadState = {
  ...emptyThreadState({ threadId: 't', cwd: '/w', mode: 'prompt' }),
  messages: [said('m1', 'first\nof all'), said('m2', 'then this')],
  changes: [
    changed('m1', ['/w/a', '/w/b']),
    changed('m1', ['/w/b']),
    changed('m2', ['/w/c'], { isUndone: true }),
  ],
};
const preview: RewindPreview = {
  files: [
    { path: '/w/a', shown: 'a', state: 'ready', what: 'is removed', view: null },
    { path: '/w/b', shown: 'b', state: 'edited', what: '+1 −1', view: null },
  ],
};

function rowsOf(dialog: RewindDialog): string[] {
  const scene = { width: 60, now: 0, cwd: '/w', callsBehind: 0 } as unknown as Parameters<
    typeof dialogSheet
  >[1];
  const { head, body, foot, keys } = dialogSheet(dialog, scene);
  const rows = [...head, ...Array.from({ length: body.count }, (_, index) => body.row(index)), ...foot];
  return [
    ...rows.map((row) => (row.kind === 'spans' ? row.spans.map(({ text }) => text).join('') : '')),
    keys.map(({ key, does }) => `${key} ${does}`).join(' · '),
  ].map((text) => text.trimEnd());
}

it('lists what the person said, newest first, with the files that each led to', () => {
  const rows = rowsOf(openRewind(thread, 120_000));
  expect(rows.slice(1, 3)).toEqual([
    expect.stringMatching(/then this +2m ago$/),
    expect.stringMatching(/first of all +2 files +2m ago$/),
  ]);
});

it('goes back only after the person saw what that does to which file', () => {
  const chosen = press(reduceRewind, openRewind(thread, 0), [enter]);
  expect(chosen.effects).toEqual([{ kind: 'preview-rewind', promptId: 'm2' }]);
  expect(press(reduceRewind, chosen.state, [enter]).effects).toEqual([]);
  const seen = { ...chosen.state, preview };
  expect(rowsOf(seen)).toEqual([
    '❯ then this',
    '─'.repeat(60),
    'a  is removed',
    '',
    'b  +1 −1  changed since, not by llmcode: left alone',
    '○ overwrite also what was changed since, not by llmcode',
    'b both · c code only · t talk only · f overwrite · Esc back',
  ]);
  const action = { kind: 'rewind', promptId: 'm2', what: 'both', edited: 'keep' };
  expect(press(reduceRewind, seen, ['b']).effects).toEqual([
    { kind: 'close' },
    { kind: 'submit', action },
    { kind: 'draft', text: 'then this' },
  ]);
  expect(press(reduceRewind, seen, ['fc']).effects).toEqual([
    { kind: 'close' },
    { kind: 'submit', action: { ...action, what: 'code', edited: 'overwrite' } },
  ]);
  expect(press(reduceRewind, seen, [esc]).state.point).toBeNull();
});
