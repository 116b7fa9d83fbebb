import { describe, expect, test } from 'vitest';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { openHelp, reduceHelp } from '#ui/dialogs/help/help-dialog.ts';
import { keyHelp } from '#ui/dialogs/help/key-help.ts';
import { openConfig, reduceConfig, withSettings } from '#ui/dialogs/lists/config-dialog.ts';
import { openModes, reduceModes } from '#ui/dialogs/lists/mode-dialog.ts';
import { openThemes, reduceThemes } from '#ui/dialogs/lists/theme-dialog.ts';
import {
  matchingThreads,
  openThreads,
  reduceThreads,
  withThreads,
} from '#ui/dialogs/lists/threads-dialog.ts';
import { ageText } from '#ui/dialogs/lists/threads-view.ts';
import type { KeyPress } from '#ui/input/key-press.ts';
import { commandFor, defaultKeymap } from '#ui/input/keymap.ts';
import { ctrl, down, enter, escape, named, press, tab, up } from './support.ts';

function thread(threadId: string, changes: Partial<ThreadSummary> = {}): ThreadSummary {
  return {
    threadId,
    name: null,
    cwd: '/work',
    title: `title of ${threadId}`,
    createdAt: 0,
    updatedAt: 0,
    messages: 3,
    model: 'ollama/coder',
    ...changes,
  };
}

describe('the thread picker', () => {
  const threads = [
    thread('t1'),
    thread('t2', { name: 'total-order' }),
    thread('t3', { title: '合計を直す' }),
  ];
  const listed = withThreads(openThreads({ currentId: 't1', openedAt: 0 }), threads);
  const after = (...entries: (string | KeyPress)[]) => press(reduceThreads, listed, entries);

  test('Enter opens the selected thread', () => {
    expect(after(down, enter).effects).toEqual([{ kind: 'close' }, { kind: 'open-thread', threadId: 't2' }]);
  });

  test('opening the thread on the screen only closes the picker', () => {
    expect(after(enter).effects).toEqual([{ kind: 'close' }]);
  });

  test('filters by name, title and model', () => {
    expect(matchingThreads(after('order').state).map(({ threadId }) => threadId)).toEqual(['t2']);
    expect(after('合計', enter).effects).toEqual([
      { kind: 'close' },
      { kind: 'open-thread', threadId: 't3' },
    ]);
    expect(after('nothing like it', enter).effects).toEqual([]);
  });

  test('Escape takes the filter away, then closes', () => {
    expect(after('order', escape).effects).toEqual([]);
    expect(after('order', escape, escape).effects).toEqual([{ kind: 'close' }]);
  });

  test('ages are said as one remembers them', () => {
    const minute = 60_000;
    const ages = [0, 5 * minute, 90 * minute, 30 * 60 * minute, 20 * 1_440 * minute, 200 * 1_440 * minute];
    expect(ages.map(ageText)).toEqual(['just now', '5m ago', '1h ago', '1d ago', '2w ago', '6mo ago']);
  });
});

describe('the settings', () => {
  const rows = [
    { key: 'model', value: 'ollama/coder', origin: 'config.json' },
    { key: 'theme', value: 'dark', origin: 'default' },
  ];
  const listed = withSettings(openConfig, rows);

  test('are filtered by key, value and origin; Enter and Escape close', () => {
    expect(press(reduceConfig, listed, ['dark']).state.picker.list.selected).toBe('theme');
    expect(press(reduceConfig, listed, [down]).state.picker.list.selected).toBe('theme');
    expect(press(reduceConfig, listed, [enter]).effects).toEqual([{ kind: 'close' }]);
    expect(press(reduceConfig, listed, [escape]).effects).toEqual([{ kind: 'close' }]);
  });
});

describe('the mode picker', () => {
  const after = (...entries: (string | KeyPress)[]) => press(reduceModes, openModes('prompt'), entries);

  test('begins on the mode in use; choosing it again changes nothing', () => {
    expect(after(enter).effects).toEqual([{ kind: 'close' }]);
  });

  test('switches through the slash command', () => {
    expect(after(down, enter).effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/mode workspace_write' },
    ]);
    expect(after(named('home'), enter).effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/mode plan' },
    ]);
  });

  test('asks before full_access, and only y means yes', () => {
    const asked = after(named('end'), enter);
    expect([asked.state.isConfirming, asked.effects]).toEqual([true, []]);
    expect(after(named('end'), enter, enter, 'x').effects).toEqual([]);
    expect(after(named('end'), enter, 'y').effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/mode full_access i know' },
    ]);
    expect(after(named('end'), enter, 'n').state.isConfirming).toBe(false);
    expect(after(named('end'), enter, escape).state.isConfirming).toBe(false);
  });

  test('Escape and Ctrl+C close', () => {
    expect(after(down, escape).effects).toEqual([{ kind: 'close' }]);
    expect(after(ctrl('c')).effects).toEqual([{ kind: 'close' }]);
  });
});

describe('the theme picker', () => {
  const start = openThemes({ ids: ['dark', 'light', 'ansi'], current: 'light' });
  const after = (...entries: (string | KeyPress)[]) => press(reduceThemes, start, entries);

  test('shows each theme while one moves', () => {
    expect(after(down, up, up).effects).toEqual([
      { kind: 'preview-theme', theme: 'ansi' },
      { kind: 'preview-theme', theme: 'light' },
      { kind: 'preview-theme', theme: 'dark' },
    ]);
  });

  test('Enter keeps it', () => {
    expect(after(down, enter).effects.slice(1)).toEqual([
      { kind: 'close' },
      { kind: 'save-theme', theme: 'ansi' },
    ]);
  });

  test('Escape goes back to what it was', () => {
    expect(after(down, escape).effects.slice(1)).toEqual([
      { kind: 'preview-theme', theme: 'light' },
      { kind: 'close' },
    ]);
  });

  test('a theme that is none of the files is a row too', () => {
    expect(openThemes({ ids: ['dark'], current: 'auto' }).ids).toEqual(['auto', 'dark']);
  });
});

describe('help', () => {
  const after = (...entries: (string | KeyPress)[]) => press(reduceHelp, openHelp, entries);

  test('changes between keys and commands', () => {
    expect([
      after(tab).state.tab,
      after(named('right')).state.tab,
      after(tab, named('left')).state.tab,
    ]).toEqual(['commands', 'commands', 'keys']);
  });

  test('scrolls and filters; a filter begins at the top', () => {
    expect(after(named('pagedown'), down).state.scroll).toBe(5);
    expect(after(down, 'undo').state).toMatchObject({ scroll: 0, filter: { text: 'undo' } });
  });

  test('Escape takes the filter away, then closes; Enter closes', () => {
    expect(after('undo', escape).effects).toEqual([]);
    expect(after(escape).effects).toEqual([{ kind: 'close' }]);
    expect(after(enter).effects).toEqual([{ kind: 'close' }]);
  });

  test('tells keys that do what it says', () => {
    const rows = keyHelp(defaultKeymap);
    expect(rows).toContainEqual({ section: 'writing', keys: 'Enter', does: expect.stringMatching(/^send/) });
    expect(rows).toContainEqual({ section: 'the screen', keys: 'Shift+Tab', does: 'next permission mode' });
    expect(commandFor(defaultKeymap, 'screen', named('tab', { shift: true }))).toBe('cycle-mode');
  });
});
