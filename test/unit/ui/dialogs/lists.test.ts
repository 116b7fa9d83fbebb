import { describe, expect, test } from 'vitest';
import { textWidth } from '#lib/text-width.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import type { DialogEffect } from '#ui/dialogs/dialog-step.ts';
import { openHelp, reduceHelp } from '#ui/dialogs/help/help-dialog.ts';
import { helpSheet } from '#ui/dialogs/help/help-view.ts';
import { keyHelp } from '#ui/dialogs/help/key-help.ts';
import { openConfig, reduceConfig, withSettings } from '#ui/dialogs/lists/config-dialog.ts';
import { configSheet } from '#ui/dialogs/lists/config-view.ts';
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
import { ctrl, down, enter, esc, named, press, tab, up } from './support.ts';

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
  const pressed = (...entries: (string | KeyPress)[]) => press(reduceThreads, listed, entries);
  const kindsOf = (effects: readonly DialogEffect[]) => effects.map(({ kind }) => kind);

  test('Enter opens the selected thread', () => {
    expect(pressed(down, enter).effects).toEqual([
      { kind: 'preview-thread', threadId: 't2' },
      { kind: 'close' },
      { kind: 'open-thread', threadId: 't2' },
    ]);
  });

  test('opening the thread on the screen only closes the picker', () => {
    expect(pressed(enter).effects).toEqual([{ kind: 'close' }]);
  });

  test('filters by name, title and model', () => {
    expect(matchingThreads(pressed('order').state).map(({ threadId }) => threadId)).toEqual(['t2']);
    expect(pressed('合計', enter).effects.slice(-2)).toEqual([
      { kind: 'close' },
      { kind: 'open-thread', threadId: 't3' },
    ]);
    expect(kindsOf(pressed('nothing like it', enter).effects)).not.toContain('open-thread');
  });

  test('a changed filter is looked for in what was said, a changed choice is previewed', () => {
    expect(pressed('合').effects).toEqual([
      { kind: 'search-threads', words: '合', isEverywhere: false },
      { kind: 'preview-thread', threadId: 't3' },
    ]);
  });

  test('Escape takes the filter away, then closes', () => {
    expect(kindsOf(pressed('order', esc).effects)).not.toContain('close');
    expect(pressed('order', esc, esc).effects.at(-1)).toEqual({ kind: 'close' });
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
    expect(press(reduceConfig, listed, [esc]).effects).toEqual([{ kind: 'close' }]);
  });

  test('say how the selected one is changed, where there is room', () => {
    const { state } = press(reduceConfig, listed, [down]);
    const lastRow = (width: number) => JSON.stringify(configSheet(state, { width }).foot.at(-1));
    expect(lastRow(76)).toContain('from default · change it: /config set theme …');
    expect(lastRow(30)).not.toContain('/config');
  });
});

describe('the mode picker', () => {
  const pressed = (...entries: (string | KeyPress)[]) => press(reduceModes, openModes('prompt'), entries);

  test('begins on the mode in use; choosing it again changes nothing', () => {
    expect(pressed(enter).effects).toEqual([{ kind: 'close' }]);
  });

  test('switches through the slash command', () => {
    expect(pressed(down, enter).effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/mode workspace_write' },
    ]);
    expect(pressed(named('home'), enter).effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/mode plan' },
    ]);
  });

  test('asks before full_access, and only y means yes', () => {
    const asked = pressed(named('end'), enter);
    expect([asked.state.isConfirming, asked.effects]).toEqual([true, []]);
    expect(pressed(named('end'), enter, enter, 'x').effects).toEqual([]);
    expect(pressed(named('end'), enter, 'y').effects).toEqual([
      { kind: 'close' },
      { kind: 'run-command', line: '/mode full_access i know' },
    ]);
    expect(pressed(named('end'), enter, 'n').state.isConfirming).toBe(false);
    expect(pressed(named('end'), enter, esc).state.isConfirming).toBe(false);
  });

  test('Escape and Ctrl+C close', () => {
    expect(pressed(down, esc).effects).toEqual([{ kind: 'close' }]);
    expect(pressed(ctrl('c')).effects).toEqual([{ kind: 'close' }]);
  });
});

describe('the theme picker', () => {
  const start = openThemes({ ids: ['dark', 'light', 'ansi'], current: 'light' });
  const pressed = (...entries: (string | KeyPress)[]) => press(reduceThemes, start, entries);

  test('shows each theme while one moves', () => {
    expect(pressed(down, up, up).effects).toEqual([
      { kind: 'preview-theme', theme: 'ansi' },
      { kind: 'preview-theme', theme: 'light' },
      { kind: 'preview-theme', theme: 'dark' },
    ]);
  });

  test('Enter keeps it', () => {
    expect(pressed(down, enter).effects.slice(1)).toEqual([
      { kind: 'close' },
      { kind: 'save-theme', theme: 'ansi' },
    ]);
  });

  test('Escape goes back to what it was', () => {
    expect(pressed(down, esc).effects.slice(1)).toEqual([
      { kind: 'preview-theme', theme: 'light' },
      { kind: 'close' },
    ]);
  });

  test('a theme that is none of the files is a row too', () => {
    expect(openThemes({ ids: ['dark'], current: 'auto' }).ids).toEqual(['auto', 'dark']);
  });
});

describe('help', () => {
  const pressed = (...entries: (string | KeyPress)[]) => press(reduceHelp, openHelp, entries);

  test('changes between keys and commands', () => {
    expect([
      pressed(tab).state.tab,
      pressed(named('right')).state.tab,
      pressed(tab, named('left')).state.tab,
    ]).toEqual(['commands', 'commands', 'keys']);
  });

  test('scrolls and filters; a filter begins at the top', () => {
    expect(pressed(named('pagedown'), down).state.scroll).toBe(5);
    expect(pressed(down, 'undo').state).toMatchObject({ scroll: 0, filter: { text: 'undo' } });
  });

  test('Escape takes the filter away, then closes; Enter closes', () => {
    expect(pressed('undo', esc).effects).toEqual([]);
    expect(pressed(esc).effects).toEqual([{ kind: 'close' }]);
    expect(pressed(enter).effects).toEqual([{ kind: 'close' }]);
  });

  test.each([36, 56, 76])('says everything in whole words however narrow it is (%i)', (width) => {
    const { body } = helpSheet(pressed().state, { width, commands: [], keymap: defaultKeymap });
    const rows = Array.from({ length: body.count }, (_, at) => body.row(at));
    const texts = rows.map((each) =>
      each.kind === 'spans' ? each.spans.map(({ text }) => text).join('') : '',
    );
    for (const text of texts) expect(textWidth(text)).toBeLessThanOrEqual(width);
    const words = new Set(texts.flatMap((text) => text.split(/\s+/)));
    for (const { does } of keyHelp(defaultKeymap))
      for (const word of does.split(' ')) expect(words).toContain(word);
  });

  test('tells keys that do what it says', () => {
    const rows = keyHelp(defaultKeymap);
    expect(rows).toContainEqual({ section: 'writing', keys: 'Enter', does: expect.stringMatching(/^send/) });
    expect(rows).toContainEqual({ section: 'the screen', keys: 'Shift+Tab', does: 'next permission mode' });
    expect(commandFor(defaultKeymap, 'screen', named('tab', { shift: true }))).toBe('cycle-mode');
  });
});
