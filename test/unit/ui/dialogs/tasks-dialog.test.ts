import { expect, test } from 'vitest';
import type { BackgroundShell } from '#protocol/shells.ts';
import { atTime, openTasks, reduceTasks, withShells } from '#ui/dialogs/lists/tasks-dialog.ts';
import { tasksSheet } from '#ui/dialogs/lists/tasks-view.ts';
import { fitSheet } from '#ui/dialogs/sheet/fit-sheet.ts';
import { down, enter, esc, named, press, up } from './support.ts';

function shell(id: string, changes: Partial<BackgroundShell> = {}): BackgroundShell {
  return {
    ...{ id, command: `npm run ${id}`, state: 'running', exitCode: null, signal: null },
    ...{ startedAt: 0, lines: 1, tail: 'up\n', isKept: false },
    ...changes,
  };
}

const server = shell('dev', { tail: Array.from({ length: 30 }, (_, line) => `row ${line}\n`).join('') });
const failed = shell('lint', { state: 'exited', exitCode: 2, endedAt: 4_000 });
const open = openTasks([failed, server], 65_000);
const kill = { kind: 'submit', action: { kind: 'shell-task', verb: 'kill', shellId: 'dev' } };

function rowsOf(dialog: typeof open, maxRows = 20): string[] {
  const sheet = tasksSheet(dialog, { width: 76 });
  const { rows } = fitSheet(sheet, { width: 76, maxRows, isArmed: true });
  const texts = rows.map((row) => (row.kind === 'spans' ? row.spans.map(({ text }) => text).join('') : ''));
  return [sheet.title, ...texts.map((text) => text.trimEnd())];
}

test('lists each command with state, running time and what it is; the first that runs is selected', () => {
  const text = rowsOf(open).join('\n');
  expect(text).toMatch(/ {2}lint {2}exit 2 +4s {2}npm run lint/);
  expect(text).toMatch(/❯ dev {3}running +1m {2}npm run dev/);
  expect(text).toContain('x end');
  expect(rowsOf(openTasks([], 0)).join('\n')).toContain('no command runs in the background');
});

test('ends one only after a yes, and never one that has ended', () => {
  expect(press(reduceTasks, open, ['x', 'y']).effects).toEqual([kill]);
  expect(press(reduceTasks, open, [named('delete'), 'n']).state).toEqual(open);
  expect(press(reduceTasks, open, [up, 'x', 'y']).effects).toEqual([]);
  const asked = press(reduceTasks, open, ['x']).state;
  const ended = withShells(asked, [failed, { ...server, state: 'exited', exitCode: 0, endedAt: 1 }]);
  expect(ended.task).toEqual({ kind: 'list' });
});

test('the output follows what comes until the person scrolls up, and comes back at its end', () => {
  const opened = press(reduceTasks, open, [enter]);
  expect(opened.effects).toEqual([{ kind: 'submit', action: { kind: 'look-at-shells' } }]);
  expect(rowsOf(opened.state)[0]).toBe('dev: running');
  expect(rowsOf(opened.state)).toContain('row 29');
  const grown = withShells(opened.state, [failed, { ...server, tail: `${server.tail}newest\x1b[2J\n` }]);
  expect(rowsOf(grown)).toContain('newest');
  const above = press(reduceTasks, grown, [named('home')]).state;
  expect(rowsOf(above)).toContain('row 0');
  expect(rowsOf(above)).not.toContain('newest');
  expect(press(reduceTasks, above, [named('end')]).state).toEqual(grown);
  expect(press(reduceTasks, above, [esc, esc]).effects).toEqual([{ kind: 'close' }]);
});

test('keeps one for after llmcode, and moves through the list', () => {
  const keep = { kind: 'submit', action: { kind: 'shell-task', verb: 'keep', shellId: 'dev' } };
  expect(press(reduceTasks, open, ['k']).effects).toEqual([keep]);
  expect(press(reduceTasks, open, [down, 'k']).effects).toEqual([]);
});

test('is the same as long as nothing reads otherwise', () => {
  expect(withShells(open, open.shells)).toBe(open);
  expect(atTime(open, 66_000)).toBe(open);
  expect(atTime(open, 120_000)).not.toBe(open);
});
