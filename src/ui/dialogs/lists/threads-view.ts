import { cleanName } from '#lib/terminal-text.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import { type Span, span } from '../../theme/span.ts';
import { cell, cellRight } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import { row, type Sheet, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { emptyText } from './config-view.ts';
import { matchingThreads, type ThreadsDialog } from './threads-dialog.ts';

export function threadsSheet(dialog: ThreadsDialog, { width }: ViewScene): Sheet {
  const { threads, failure, picker } = dialog;
  const shown = matchingThreads(dialog);
  return {
    frame: 'box',
    title: 'threads of this project',
    note: listNote(
      picker.list,
      shown.map(({ threadId }) => threadId),
    ),
    head: [filterRow(picker.filter)],
    body: {
      ...(shown.length === 0
        ? staticBody([
            row(span(noThreads(dialog) ?? emptyText(threads, failure), failure === null ? 'dim' : 'error')),
          ])
        : listBody(picker.list, shown, {
            idOf: ({ threadId }) => threadId,
            draw: (thread, { isSelected }) => threadRow(thread, { dialog, width: width - 2, isSelected }),
          })),
      reserve: threads?.length ?? 0,
    },
    foot: [],
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: 'open' },
      { key: 'Esc', does: picker.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}

function noThreads({ threads, picker }: ThreadsDialog): string | undefined {
  return threads?.length === 0 && picker.filter.text === ''
    ? 'no earlier threads in this project'
    : undefined;
}

const ageWidth = 9;
const countWidth = 9;
const modelWidth = 28;

function threadRow(
  thread: ThreadSummary,
  { dialog, width, isSelected }: { dialog: ThreadsDialog; width: number; isSelected: boolean },
): readonly Span[] {
  const hasModel = width >= 110;
  const hasCount = width >= 56;
  const columns = ageWidth + 2 + (hasCount ? countWidth + 2 : 0) + (hasModel ? modelWidth + 2 : 0);
  const isCurrent = thread.threadId === dialog.currentId;
  return [
    span(markOf(thread, isCurrent), 'accent'),
    cell(titleText(thread), Math.max(8, width - 2 - columns), isSelected ? 'accent' : 'text'),
    span('  '),
    cellRight(ageText(dialog.openedAt - thread.updatedAt), ageWidth, 'dim'),
    ...(hasCount ? [span('  '), cellRight(countText(thread.messages), countWidth, 'dim')] : []),
    ...(hasModel ? [span('  '), cell(cleanName(thread.peer ?? thread.model ?? ''), modelWidth, 'dim')] : []),
  ];
}

/** The one on the screen, or one with a peer, which bears the sign of its answers. */
function markOf({ kind }: ThreadSummary, isCurrent: boolean): string {
  if (isCurrent) return '● ';
  return kind === 'consult' ? '◆ ' : '  ';
}

function titleText({ name, title }: ThreadSummary): string {
  const words = cleanName(title.replaceAll(/\s+/g, ' ').trim());
  if (name === null || name === '') return words === '' ? 'nothing said yet' : words;
  return words === '' ? cleanName(name) : `${cleanName(name)} · ${words}`;
}

function countText(messages: number): string {
  return `${messages} msgs`;
}

/** `5m ago`, coarse as one remembers it. */
export function ageText(ageMs: number): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes}m ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h ago`;
  const days = Math.floor(minutes / (24 * 60));
  if (days < 14) return `${days}d ago`;
  return days < 70 ? `${Math.floor(days / 7)}w ago` : `${Math.floor(days / 30)}mo ago`;
}
