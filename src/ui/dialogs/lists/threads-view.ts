import { cleanName } from '#lib/terminal-text.ts';
import type { ThreadLine, ThreadSummary } from '#protocol/thread-entry.ts';
import { type Span, span } from '../../theme/span.ts';
import { cell, cellRight } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import { blankRow, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { emptyText } from './config-view.ts';
import { foundThreads, matchingThreads, type ThreadsDialog } from './threads-dialog.ts';

/** So many always, so that the frame stays where it is. */
const previewRows = 3;

export function threadsSheet(dialog: ThreadsDialog, { width }: ViewScene): Sheet {
  const { threads, failure, picker, isEverywhere, showsArchived } = dialog;
  const shown = matchingThreads(dialog);
  const which = showsArchived ? 'archived threads' : 'threads';
  return {
    frame: 'box',
    title: isEverywhere ? `${which} of all projects` : `${which} of this project`,
    note: [
      ...(dialog.found && !dialog.found.isWhole ? ['still reading older ones'] : []),
      listNote(
        picker.list,
        shown.map(({ threadId }) => threadId),
      ),
    ].join(' · '),
    head: [filterRow(picker.filter, 'type to filter, or to search in all that was said')],
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
    foot: threads?.length === 0 ? [] : previewOf(dialog, width),
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: 'open' },
      { key: 'Ctrl+O', does: isEverywhere ? 'this project' : 'all projects' },
      { key: 'Ctrl+R', does: showsArchived ? 'not archived' : 'archived' },
      { key: 'Esc', does: picker.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}

function noThreads({ threads, picker, isEverywhere }: ThreadsDialog): string | undefined {
  if (threads?.length !== 0 || picker.filter.text !== '') return undefined;
  return isEverywhere ? 'no earlier threads' : 'no earlier threads in this project';
}

/** Where the words stand, or how the thread began and where it stands. */
function previewOf(dialog: ThreadsDialog, width: number): SheetRow[] {
  const selected = dialog.picker.list.selected;
  const found = selected === undefined ? undefined : foundThreads(dialog).get(selected);
  const thread = matchingThreads(dialog).find(({ threadId }) => threadId === selected);
  const lines = dialog.preview?.threadId === selected ? dialog.preview?.lines : undefined;
  const [first] = lines?.first ?? [];
  const last = lines?.last.at(-1);
  const rows = found
    ? found.hits.slice(0, previewRows - 1).map(({ kind, excerpt }) => textRow(`${kind}: ${excerpt}`, width))
    : [
        ...(first ? [lineRow(first, width)] : []),
        ...(last && last.messageId !== first?.messageId ? [lineRow(last, width)] : []),
      ];
  const shown = [row(span('─'.repeat(width), 'border')), ...rows];
  if (dialog.isEverywhere && thread) shown.splice(1, rows.length > 1 ? 1 : 0, textRow(thread.cwd, width));
  return [...shown, ...Array.from({ length: Math.max(0, previewRows - shown.length) }, () => blankRow)];
}

function lineRow({ who, text }: ThreadLine, width: number): SheetRow {
  return textRow(who === 'you' ? `❯ ${text}` : text, width);
}

function textRow(text: string, width: number): SheetRow {
  return row(cell(cleanName(text.replaceAll(/\s+/g, ' ').trim()), width, 'dim'));
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
  const depth = dialog.picker.filter.text === '' ? (dialog.depths.get(thread.threadId) ?? 0) : 0;
  const branch = depth === 0 ? '' : `${'  '.repeat(depth - 1)}└ `;
  const room = Math.max(8, width - 2 - columns - branch.length);
  return [
    span(markOf(thread, isCurrent), 'accent'),
    ...(branch === '' ? [] : [span(branch, 'dim')]),
    cell(titleText(thread), room, isSelected ? 'accent' : 'text'),
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
