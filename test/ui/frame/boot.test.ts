import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AsyncQueue } from '#lib/async-queue.ts';
import type { EngineEvent } from '#protocol/event.ts';
import { openBootScreen } from '#ui/boot/boot-screen.ts';
import { firstTheme } from '#ui/frame/theme-choice.ts';
import { startScreen } from '#ui/screen.tsx';
import { projectRoot } from '../../support/source-files.ts';
import { createFakeHandle, createFakePort } from '../../support/ui/fake-port.ts';
import { createFakeTerminal } from '../../support/ui/fake-terminal.ts';
import { waitFor } from '../../support/ui/wait-for.ts';

const loadTheme = (id: string) => readFileSync(path.join(projectRoot, 'themes', `${id}.json`), 'utf8');
const never = new Promise<never>(() => undefined);

/** The boot stage in a terminal, and the screen of a thread that never opens to follow it. */
function stage(options: {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  cwdLabel?: string;
  isVim?: boolean;
}) {
  const terminal = createFakeTerminal(options);
  const { cwdLabel = 'shop-api', isVim = false } = options;
  const { streams } = terminal;
  const theme = firstTheme({ themeId: 'dark', loadText: loadTheme, env: streams.env });
  const scene = { theme, version: '0.1.0', cwdLabel, mode: 'prompt' as const, isVim };
  const boot = openBootScreen(scene, streams as unknown as Parameters<typeof openBootScreen>[1]);
  const port = createFakePort({
    handle: { ...createFakeHandle(), threadId: '', events: () => new AsyncQueue<EngineEvent>() },
    cwdLabel,
    themeId: 'dark',
    editorMode: isVim ? 'vim' : 'emacs',
    loadTheme,
    branch: () => never,
    needsModel: never,
  });
  const begin = async () => {
    const end = startScreen(port, { ...streams, boot });
    onTestFinished(async () => {
      for (const key of ['\x03', '\x03', '\x03']) {
        terminal.type(key);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      await end;
    });
    await waitFor(() => terminal.output().includes('\x1b[?2026l'));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { terminal, boot, begin };
}

describe('the boot stage', () => {
  it.each([
    { columns: 80, rows: 24, typed: '' },
    { columns: 80, rows: 24, typed: 'fix the failing tests' },
    { columns: 80, rows: 24, typed: 'go', isVim: true },
    { columns: 120, rows: 40, typed: 'fix', env: { NO_COLOR: '', COLORTERM: 'truecolor' } },
    { columns: 40, rows: 10, typed: '', cwdLabel: 'a-folder-with-a-name-wider-than-the-window-is' },
    { columns: 59, rows: 15, typed: 'hello', env: { NO_COLOR: '', TERM: 'xterm-256color' } },
  ])('has the cells of the screen that follows, cursor included: %j', async ({ typed, ...options }) => {
    const { terminal, begin } = stage(options);
    await terminal.shows('llmcode');
    if (typed !== '') {
      terminal.type(typed);
      await terminal.shows(typed);
    }
    const before = { cells: terminal.cells(), cursor: terminal.cursor() };
    const clears = terminal.output().split('\x1b[2J').length;
    await begin();
    expect(terminal.cells()).toEqual(before.cells);
    expect(terminal.cursor()).toMatchObject({ x: before.cursor.x, y: before.cursor.y });
    expect(terminal.output().split('\x1b[?1049h')).toHaveLength(2);
    expect(terminal.output().split('\x1b[2J')).toHaveLength(clears);
  });

  it('keeps every key for the screen, also those that it does not show', async () => {
    const { terminal, boot, begin } = stage({});
    terminal.type('ac');
    await terminal.shows('ac');
    terminal.type('\x1b[D');
    terminal.type('b@');
    await waitFor(() => boot?.draft === 'ac');
    await begin();
    terminal.type('\x7f');
    await terminal.shows(/❯ abc/);
  });

  it('leaves a window to the screen that is too small, and gives the terminal back when none follows', () => {
    expect(stage({ columns: 39 }).boot).toBeUndefined();
    const { boot, terminal } = stage({});
    boot?.abandon();
    boot?.abandon();
    terminal.type('x');
    expect(boot?.draft).toBe('');
  });
});
