import { cleanName } from '#lib/terminal-text.ts';
import { wrapText } from '#lib/wrap.ts';
import type { RewindFile } from '#protocol/rewind.ts';
import { type Span, span } from '../../theme/span.ts';
import type { ThemeToken } from '../../theme/tokens.ts';
import { diffRows } from '../../transcript/views/diff-view.ts';
import { emptyText } from '../lists/config-view.ts';
import { ageText } from '../lists/threads-view.ts';
import { cell, cellRight } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import { blankRow, row, type Sheet, type SheetRow, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { hasEdited, matchingPoints, type RewindDialog, type RewindPoint } from './rewind-dialog.ts';

const ageWidth = 9;
const filesWidth = 12;
/** Rows of the message that one goes back to. */
const promptRows = 3;

export function rewindSheet(dialog: RewindDialog, { width }: ViewScene): Sheet {
  return dialog.point ? pointSheet(dialog, dialog.point, width) : pointsSheet(dialog, width);
}

function pointsSheet(dialog: RewindDialog, width: number): Sheet {
  const { picker, points } = dialog;
  const shown = matchingPoints(dialog);
  const none = points.length === 0 ? 'nothing was said in this thread yet' : emptyText(points, null);
  return {
    frame: 'box',
    title: 'go back to before',
    note: listNote(
      picker.list,
      shown.map(({ promptId }) => promptId),
    ),
    head: [filterRow(picker.filter)],
    body: {
      ...(shown.length === 0
        ? staticBody([row(span(none, 'dim'))])
        : listBody(picker.list, shown, {
            idOf: ({ promptId }) => promptId,
            draw: (point, { isSelected }) => pointRow(point, { dialog, width: width - 2, isSelected }),
          })),
      reserve: points.length,
    },
    foot: [],
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: 'look at what that means' },
      { key: 'Esc', does: picker.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}

function pointRow(
  { text, at, files }: RewindPoint,
  { dialog, width, isSelected }: { dialog: RewindDialog; width: number; isSelected: boolean },
): readonly Span[] {
  const words = cleanName(text.replaceAll(/\s+/g, ' ').trim());
  const changed = files === 0 ? '' : files === 1 ? '1 file' : `${files} files`;
  const room = Math.max(8, width - ageWidth - filesWidth - 4);
  return [
    cell(words, room, isSelected ? 'accent' : 'text'),
    span('  '),
    cellRight(changed, filesWidth, 'warning'),
    span('  '),
    cellRight(ageText(dialog.openedAt - at), ageWidth, 'dim'),
  ];
}

function pointSheet(dialog: RewindDialog, { text }: RewindPoint, width: number): Sheet {
  const { preview, failure, isForced, scroll } = dialog;
  const lines = wrapText(text.split('\n').map(cleanName).join('\n'), Math.max(8, width - 2));
  const shown = lines.slice(0, promptRows).map((line) => row(span('❯ ', 'accent'), span(line)));
  return {
    frame: 'box',
    title: 'go back to before this?',
    note: preview === null ? '' : countText(preview.files.length),
    head: [
      ...shown,
      ...(lines.length > promptRows ? [row(span('  …', 'dim'))] : []),
      row(span('─'.repeat(width), 'border')),
    ],
    body: { ...staticBody(bodyRows(dialog, width), scroll), counter: 'loud' },
    foot: hasEdited(dialog)
      ? [
          row(
            span(isForced ? '● ' : '○ ', isForced ? 'warning' : 'dim'),
            span('overwrite also what was changed since, not by llmcode', isForced ? 'warning' : 'dim'),
          ),
        ]
      : [],
    keys: [
      ...(preview?.files.length === 0 || failure !== null
        ? []
        : [
            { key: 'b', does: 'both' },
            { key: 'c', does: 'code only' },
          ]),
      { key: 't', does: 'talk only' },
      ...(hasEdited(dialog) ? [{ key: 'f', does: isForced ? 'keep those' : 'overwrite' }] : []),
      { key: 'Esc', does: 'back' },
    ],
  };
}

function bodyRows({ preview, failure }: RewindDialog, width: number): SheetRow[] {
  if (failure !== null) return wrapText(failure, width).map((line) => row(span(cleanName(line), 'error')));
  if (preview === null) return [row(span('looking at the files …', 'dim'))];
  if (preview.files.length === 0)
    return [row(span('No file is different from then; only what was said goes back.', 'dim'))];
  return preview.files.flatMap((file, index) => [
    ...(index === 0 ? [] : [blankRow]),
    fileRow(file),
    ...(file.view ? diffRows(file.view, width - 2).map((spans) => row(span('  '), ...spans)) : []),
  ]);
}

const stateTexts: Readonly<Record<RewindFile['state'], { text: string; token: ThemeToken } | null>> = {
  ready: null,
  edited: { text: 'changed since, not by llmcode: left alone', token: 'warning' },
  lost: { text: 'what was there was not kept: left alone', token: 'error' },
};

function fileRow({ shown, what, state }: RewindFile): SheetRow {
  const note = stateTexts[state];
  return row(
    span(cleanName(shown), 'strong'),
    span(`  ${what}`, 'dim'),
    ...(note ? [span(`  ${note.text}`, note.token)] : []),
  );
}

function countText(files: number): string {
  if (files === 0) return 'no files';
  return files === 1 ? '1 file' : `${files} files`;
}
