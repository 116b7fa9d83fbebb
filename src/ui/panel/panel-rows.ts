import { cleanName } from '#lib/terminal-text.ts';
import { truncateEnd } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import type { BackgroundShell } from '#protocol/shells.ts';
import type { Todo } from '#protocol/todo.ts';
import { durationText, stateText, stateToken } from '../status/shell-text.ts';
import { type Span, span } from '../theme/span.ts';

export type PanelKind = 'todos' | 'tasks';

/** What panels tell of. */
export type PanelScene = {
  readonly todos: readonly Todo[];
  readonly shells: readonly BackgroundShell[];
  /** Milliseconds since 1970. */
  readonly now: number;
};

type Line = readonly Span[];

/** A panel as rows of `width` cells, at most `rows` of them: its title, and what matters most of the rest. */
export function panelRows(
  panel: PanelKind,
  scene: PanelScene,
  { width, rows, key }: { width: number; rows: number; key: string | undefined },
): readonly Line[] {
  const { title, blocks, focus } = panel === 'todos' ? todoBlocks(scene, width) : taskBlocks(scene, width);
  const closes = key === undefined ? '' : `  ${key} closes`;
  const head: Line = [span(title, 'heading'), span(closes, 'dim')];
  return [head, ...around(blocks, { focus, rows: rows - 1 })];
}

type Blocks = { title: string; blocks: readonly (readonly Line[])[]; focus: number };

function todoBlocks({ todos }: PanelScene, width: number): Blocks {
  const done = todos.filter(({ status }) => status === 'completed').length;
  if (todos.length === 0) return { title: 'plan', blocks: [[[span('no plan yet', 'dim')]]], focus: 0 };
  const current = todos.findIndex(({ status }) => status === 'in_progress');
  const next = todos.findIndex(({ status }) => status === 'pending');
  return {
    title: `plan ${done}/${todos.length}`,
    blocks: todos.map((todo) => todoBlock(todo, width)),
    focus: Math.max(0, current >= 0 ? current : next >= 0 ? next : todos.length - 1),
  };
}

function todoBlock({ content, status }: Todo, width: number): readonly Line[] {
  const mark =
    status === 'completed'
      ? span('☑ ', 'success')
      : status === 'in_progress'
        ? span('▸ ', 'accent')
        : span('☐ ', 'dim');
  const text = cleanName(content.replaceAll(/\s+/g, ' ').trim());
  return wrapText(text, Math.max(4, width - 2)).map((line, index) => [
    index === 0 ? mark : span('  '),
    status === 'in_progress' ? span(line) : span(line, 'dim'),
  ]);
}

function taskBlocks({ shells, now }: PanelScene, width: number): Blocks {
  if (shells.length === 0)
    return { title: 'background', blocks: [[[span('no command runs in the background', 'dim')]]], focus: 0 };
  const running = shells.filter(({ state }) => state === 'running').length;
  return {
    title: `background ${running} running`,
    blocks: shells.map((shell) => taskBlock(shell, { now, width })),
    focus: Math.max(
      0,
      shells.findIndex(({ state }) => state === 'running'),
    ),
  };
}

/** What it is, how it does, and the last that it said. */
function taskBlock(shell: BackgroundShell, { now, width }: { now: number; width: number }): readonly Line[] {
  const what = cleanName((shell.description ?? shell.command).replaceAll(/\s+/g, ' ').trim());
  const said = cleanName(shell.tail.trimEnd().split('\n').at(-1) ?? '').trim();
  const state = `${stateText(shell)} · ${durationText(shell, now)}`;
  return [
    [span(shell.state === 'running' ? '▸ ' : '  ', 'accent'), span(truncateEnd(what, width - 2))],
    [span('  '), span(truncateEnd(state, width - 2), stateToken(shell))],
    ...(said === '' ? [] : [[span('  '), span(truncateEnd(said, width - 2), 'dim')]]),
  ];
}

/** The rows around the block in focus, when there is no room for all; what is left out is said. */
function around(
  blocks: readonly (readonly Line[])[],
  { focus, rows }: { focus: number; rows: number },
): readonly Line[] {
  const all = blocks.flat();
  if (all.length <= rows) return all;
  const room = Math.max(1, rows - 1);
  const before = blocks.slice(0, focus).reduce((sum, block) => sum + block.length, 0);
  // One block above shows where one comes from.
  const above = blocks[focus - 1]?.length ?? 0;
  const from = Math.max(0, Math.min(before - above, all.length - room));
  const hidden = all.length - room;
  return [...all.slice(from, from + room), [span(`… ${hidden} more rows`, 'dim')]];
}
