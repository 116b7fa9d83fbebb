import { describe, expect, test } from 'vitest';
import type { PermissionAnswer } from '#protocol/permission.ts';
import { openPermission, reducePermission, ruleProblem } from '#ui/dialogs/permission/permission-dialog.ts';
import { requestRows } from '#ui/dialogs/permission/request-rows.ts';
import { type KeyPress, pasteKey } from '#ui/input/key-press.ts';
import {
  backTab,
  commandRequest,
  ctrl,
  down,
  editRequest,
  enter,
  esc,
  named,
  press,
  tab,
  up,
} from './support.ts';

const start = openPermission(commandRequest());
const submit = (answer: PermissionAnswer) => ({
  kind: 'submit',
  action: { kind: 'answer-permission', requestId: 'request-1', answer },
});
const pressed = (...entries: (string | KeyPress)[]) => press(reducePermission, start, entries);

describe('a permission dialog', () => {
  test('y lets the call run once', () => {
    expect(pressed('y').effects).toEqual([submit({ kind: 'once' })]);
    expect(pressed('Y').effects).toEqual([submit({ kind: 'once' })]);
  });

  test('n says no and lets the turn go on', () => {
    expect(pressed('n').effects).toEqual([submit({ kind: 'reject' })]);
  });

  test('Escape says no and stops the turn', () => {
    expect(pressed(esc).effects).toEqual([
      submit({ kind: 'reject' }),
      { kind: 'submit', action: { kind: 'interrupt' } },
    ]);
  });

  test('nothing else answers: no Enter, no blank, no other letter, no paste of a y', () => {
    const { state, effects } = pressed(
      enter,
      ' ',
      'x',
      'q',
      tab,
      pasteKey('y'),
      pasteKey('yes\ny'),
      ctrl('y'),
    );
    expect(effects).toEqual([]);
    expect(state).toEqual(start);
  });

  test('scrolls what is asked about, within its bounds', () => {
    expect(pressed(down, down, up).state.scroll).toBe(1);
    expect(pressed(up).state.scroll).toBe(0);
    expect(pressed(named('pagedown')).state.scroll).toBe(4);
    expect(pressed(named('end'), named('pageup')).state.scroll).toBe(36);
    expect(pressed(named('end'), down).state.scroll).toBe(40);
    expect(pressed(named('end'), named('home')).state.scroll).toBe(0);
  });
});

describe('always', () => {
  test('shows the rule first; Enter adds it for this project', () => {
    const shown = pressed('a');
    expect(shown.effects).toEqual([]);
    expect(shown.state.task).toMatchObject({
      kind: 'always',
      rule: { text: 'Bash(npm run build)' },
      scope: 'project',
    });
    expect(pressed('a', enter).effects).toEqual([
      submit({ kind: 'always', rule: 'Bash(npm run build)', scope: 'project' }),
    ]);
  });

  test('Tab chooses this session instead, and back', () => {
    expect(pressed('a', tab, enter).effects).toEqual([
      submit({ kind: 'always', rule: 'Bash(npm run build)', scope: 'session' }),
    ]);
    expect(pressed('a', tab, backTab).state.task).toMatchObject({ scope: 'project' });
  });

  test('the rule can be rewritten before it is added', () => {
    expect(pressed('a', named('left'), ':*', enter).effects).toEqual([
      submit({ kind: 'always', rule: 'Bash(npm run build:*)', scope: 'project' }),
    ]);
  });

  test('what is no rule is not added', () => {
    expect(pressed('a', ctrl('u'), enter).effects).toEqual([]);
    expect(pressed('a', ctrl('u'), 'npm run build', enter).effects).toEqual([]);
    expect(ruleProblem('Bash(npm run build)')).toBeUndefined();
    expect(ruleProblem('Bash')).toBeUndefined();
    expect(ruleProblem('mcp__server__tool')).toBeUndefined();
    expect(ruleProblem('Bash(')).toBeDefined();
  });

  test('Escape goes back without an answer', () => {
    const { state, effects } = pressed('a', esc);
    expect(state.task).toEqual({ kind: 'ask' });
    expect(effects).toEqual([]);
  });

  test('is not there when no rule would allow the call', () => {
    const { suggestedRule: _none, ...request } = commandRequest();
    expect(press(reducePermission, openPermission(request), ['a', enter]).effects).toEqual([]);
  });
});

describe('edit', () => {
  test('sends the call back with the command as rewritten, and all else as it was', () => {
    expect(pressed('e', ' -- --dry', enter).effects).toEqual([
      submit({ kind: 'edit', input: { command: 'npm run build -- --dry', timeout: 60 } }),
    ]);
  });

  test('takes several lines', () => {
    expect(pressed('e', named('enter', { alt: true }), 'ls', enter).effects).toEqual([
      submit({ kind: 'edit', input: { command: 'npm run build\nls', timeout: 60 } }),
    ]);
  });

  test('an untouched or empty command is no answer', () => {
    for (const keys of [[enter], [ctrl('u'), enter]]) {
      const { state, effects } = pressed('e', ...keys);
      expect([state.task, effects]).toEqual([{ kind: 'ask' }, []]);
    }
  });

  test('keeps nothing in the command that the person cannot see', () => {
    const hidden = 'ls \u001b[8m; rm -rf ~\u001b[0m';
    const dialog = openPermission(commandRequest({ command: hidden, input: { command: hidden } }));
    const { effects } = press(reducePermission, dialog, ['e', ' #', enter]);
    expect(effects).toEqual([submit({ kind: 'edit', input: { command: 'ls ; rm -rf ~ #' } })]);
  });

  test('of a call without a command asks what to do instead', () => {
    const { effects } = press(reducePermission, openPermission(editRequest()), ['e', 'use a helper', enter]);
    expect(effects).toEqual([
      {
        kind: 'submit',
        action: {
          kind: 'answer-permission',
          requestId: 'request-2',
          answer: { kind: 'reject', feedback: 'use a helper' },
        },
      },
    ]);
  });
});

describe('no, because', () => {
  test('sends the reason to the model', () => {
    expect(pressed('d', ' keep dist, y? ', enter).effects).toEqual([
      submit({ kind: 'reject', feedback: 'keep dist, y?' }),
    ]);
  });

  test('without a reason is a plain no', () => {
    expect(pressed('d', enter).effects).toEqual([submit({ kind: 'reject' })]);
  });

  test('Escape goes back; the call can still be scrolled', () => {
    expect(pressed('d', 'oops', esc).state.task).toEqual({ kind: 'ask' });
    expect(pressed('d', named('pagedown')).state.scroll).toBe(4);
  });
});

test('a change of several files is shown file by file, each under its name', () => {
  const { view } = editRequest();
  if (view?.kind !== 'diff') throw new Error('no diff');
  const files = [view, { ...view, path: 'src/new.ts', change: 'create' as const }];
  const rows = requestRows(editRequest({ view: { kind: 'diffs', files } }), 80).map((row) =>
    row.kind === 'spans' ? row.spans.map(({ text }) => text).join('') : '',
  );
  const one = requestRows(editRequest(), 80).length;
  expect(rows).toHaveLength(2 * one + 3);
  expect([rows[0], rows[one + 1], rows[one + 2]]).toEqual([
    'change /projects/shop-api/src/cart/total.ts',
    '',
    'new src/new.ts',
  ]);
});
