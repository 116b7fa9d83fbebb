import { cleanOutput } from '#lib/clean-output.ts';
import { cleanCommand, cleanName } from '#lib/terminal-text.ts';
import { expandTabs } from '#lib/text-width.ts';
import { wrapText } from '#lib/wrap.ts';
import type { BackgroundShell } from '#protocol/shells.ts';
import { durationText, stateText, stateToken } from '../../status/shell-text.ts';
import type { KeyHint } from '../../status/status-line.ts';
import { type Span, span } from '../../theme/span.ts';
import { cell, cellRight, columnWidth } from '../sheet/columns.ts';
import { listBody, listNote } from '../sheet/list-rows.ts';
import { paragraph, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { canKeep, isRunning, shellOf, type TasksDialog } from './tasks-dialog.ts';

const timeWidth = 7;
const mostCommandRows = 3;
/** The list and the output of a command take as many rows, so that the frame stays where it is. */
const bodyRows = 8;

export function tasksSheet(dialog: TasksDialog, { width }: ViewScene): Sheet {
  const { task } = dialog;
  const shell = task.kind === 'list' ? undefined : shellOf(dialog, task.shellId);
  if (!shell) return listSheet(dialog, width);
  return task.kind === 'end' ? endSheet(shell, width) : outputSheet(dialog, shell, width);
}

function listSheet({ shells, list, now }: TasksDialog, width: number): Sheet {
  const ids = shells.map(({ id }) => id);
  const selected = shells.find(({ id }) => id === list.selected);
  const idWidth = columnWidth(ids, { min: 4, max: 14 });
  const stateWidth = columnWidth(shells.map(stateText), { min: 7, max: 15 });
  const draw = (shell: BackgroundShell): readonly Span[] => {
    const room = Math.max(8, width - 2 - idWidth - stateWidth - timeWidth - 6);
    return [
      cell(cleanName(shell.id), idWidth, 'dim'),
      span('  '),
      cell(stateText(shell), stateWidth, stateToken(shell)),
      span('  '),
      cellRight(durationText(shell, now), timeWidth, 'dim'),
      span('  '),
      cell(oneRow(shell.command), room, 'code'),
    ];
  };
  return {
    frame: 'box',
    title: 'commands in the background',
    note: listNote(list, ids),
    head: [],
    body: {
      ...(shells.length === 0
        ? staticBody([row(span('no command runs in the background', 'dim'))])
        : listBody(list, shells, { idOf: ({ id }) => id, draw })),
      reserve: bodyRows,
    },
    foot: [],
    keys: [
      ...(shells.length > 1 ? [{ key: '↑↓', does: 'move' }] : []),
      ...(selected ? [{ key: 'Enter', does: 'output' }] : []),
      ...actionKeys(selected),
      { key: 'Esc', does: 'close' },
    ],
  };
}

function outputSheet({ task, now }: TasksDialog, shell: BackgroundShell, width: number): Sheet {
  const said = expandTabs(cleanOutput(shell.tail)).trimEnd();
  const rows =
    said === ''
      ? [row(span('nothing was printed yet', 'dim'))]
      : said.split('\n').flatMap((line) => wrapText(line, width).map((part) => row(span(part))));
  const scroll = task.kind === 'output' ? task.scroll : null;
  const what = shell.description === undefined ? shell.id : oneRow(shell.description);
  return {
    frame: 'box',
    title: `${cleanName(what)}: ${stateText(shell)}`,
    note: [durationText(shell, now), linesText(shell)].join(' · '),
    head: commandRows(shell, width),
    body: { ...staticBody(rows, scroll ?? rows.length), reserve: bodyRows },
    foot: [],
    keys: [{ key: '↑↓', does: 'scroll' }, ...actionKeys(shell), { key: 'Esc', does: 'back' }],
  };
}

function endSheet(shell: BackgroundShell, width: number): Sheet {
  return {
    frame: 'box',
    title: 'end this command?',
    note: cleanName(shell.id),
    head: [],
    body: {
      ...staticBody([
        ...commandRows(shell, width),
        ...paragraph('It is ended with all processes that it started.', { width, token: 'dim' }),
      ]),
      reserve: bodyRows,
    },
    foot: [],
    keys: [
      { key: 'y', does: 'end it' },
      { key: 'n', does: 'let it run' },
    ],
  };
}

function actionKeys(shell: BackgroundShell | undefined): KeyHint[] {
  if (!shell || !isRunning(shell)) return [];
  return [{ key: 'x', does: 'end' }, ...(canKeep(shell) ? [{ key: 'k', does: 'keep after llmcode' }] : [])];
}

function linesText({ lines }: BackgroundShell): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

function commandRows({ command }: BackgroundShell, width: number): SheetRow[] {
  const lines = cleanCommand(command)
    .split('\n')
    .flatMap((line) => wrapText(line, width));
  const shown = lines.slice(0, mostCommandRows).map((line) => row(span(line, 'code')));
  return lines.length > mostCommandRows ? [...shown, row(span('…', 'dim'))] : shown;
}

function oneRow(text: string): string {
  return cleanName(text.replaceAll(/\s+/g, ' ').trim());
}
