import { cleanName } from '#lib/terminal-text.ts';
import { type Span, span } from '../../theme/span.ts';
import { cell, cellRight } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import { row, type Sheet, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { type CopyDialog, matchingItems } from './copy-dialog.ts';
import type { CopyItem } from './copy-items.ts';

export function copySheet(dialog: CopyDialog, { width }: ViewScene): Sheet {
  const { items, picker } = dialog;
  const shown = matchingItems(dialog);
  const nothing = items.length === 0 ? 'nothing has been said yet' : 'nothing matches';
  return {
    frame: 'box',
    title: 'copy',
    note: listNote(
      picker.list,
      shown.map(({ id }) => id),
    ),
    head: [filterRow(picker.filter)],
    body: {
      ...(shown.length === 0
        ? staticBody([row(span(nothing, 'dim'))])
        : listBody(picker.list, shown, {
            idOf: ({ id }) => id,
            draw: (item, { isSelected }) => itemRow(item, { width: width - 2, isSelected }),
          })),
      reserve: items.length,
    },
    foot: [],
    keys: [
      { key: '↑↓', does: 'move' },
      { key: 'Enter', does: 'copy' },
      { key: 'Esc', does: picker.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}

const kindWidth = 9;
const labelWidth = 18;
const countWidth = 11;

/** What belongs to a message stands below it and further in. */
function itemRow(
  item: CopyItem,
  { width, isSelected }: { width: number; isSelected: boolean },
): readonly Span[] {
  const hasLabel = width >= 70;
  const isMessage = item.kind === 'answer' || item.kind === 'prompt';
  const used = kindWidth + 2 + (hasLabel ? labelWidth + 2 : 0) + countWidth + 2;
  return [
    cell(isMessage ? item.kind : ` ${item.kind}`, kindWidth, isMessage ? 'strong' : 'dim'),
    span('  '),
    ...(hasLabel ? [cell(cleanName(item.label), labelWidth, 'dim'), span('  ')] : []),
    cell(firstLine(item.text), Math.max(8, width - used), isSelected ? 'accent' : 'text'),
    span('  '),
    cellRight(lineCount(item.text), countWidth, 'dim'),
  ];
}

function firstLine(text: string): string {
  const line =
    text
      .slice(0, 400)
      .split('\n')
      .find((each) => each.trim() !== '') ?? '';
  return cleanName(line.trim());
}

function lineCount(text: string): string {
  const lines = text.split('\n').length;
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
