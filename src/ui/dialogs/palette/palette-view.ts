import { textWidth, truncateEnd } from '#lib/text-width.ts';
import { type Span, span } from '../../theme/span.ts';
import { cell, cellRight, columnWidth } from '../sheet/columns.ts';
import { filterRow, listBody, listNote } from '../sheet/list-rows.ts';
import { row, type Sheet, staticBody, type ViewScene } from '../sheet/sheet.ts';
import { type PaletteDialog, shownEntries } from './palette-dialog.ts';
import type { PaletteEntry } from './palette-entries.ts';

export function paletteSheet(dialog: PaletteDialog, { width }: ViewScene): Sheet {
  const shown = shownEntries(dialog);
  const nameWidth = columnWidth(
    dialog.entries.map(({ name }) => name),
    { min: 10, max: Math.min(30, Math.floor(width * 0.4)) },
  );
  const keyWidth = columnWidth(
    dialog.entries.map(({ key }) => key),
    { min: 3, max: 13 },
  );
  const draw = ({ name, does, key }: PaletteEntry): readonly Span[] => {
    const room = width - 2 - nameWidth - 2 - keyWidth - 2;
    const shownKey = textWidth(key) > keyWidth ? truncateEnd(key, keyWidth) : key;
    return [
      cell(name, nameWidth, 'accent'),
      span('  '),
      ...(room >= 8 ? [cell(does, room, 'dim'), span('  ')] : []),
      cellRight(shownKey, keyWidth),
    ];
  };
  const ids = shown.map(({ id }) => id);
  const selected = shown.find(({ id }) => id === dialog.list.selected);
  const isCommand = selected?.kind === 'command';
  return {
    frame: 'box',
    title: 'commands and actions',
    note: listNote(dialog.list, ids),
    head: [filterRow(dialog.filter)],
    body: {
      ...(shown.length === 0
        ? staticBody([row(span('nothing matches', 'dim'))])
        : listBody(dialog.list, shown, { idOf: ({ id }) => id, draw })),
      reserve: dialog.entries.length,
    },
    foot: [],
    keys: [
      { key: '↑↓', does: 'move' },
      ...(selected
        ? [{ key: 'Enter', does: isCommand && selected.takes === 'must' ? 'write it' : 'run' }]
        : []),
      ...(isCommand && selected.takes === 'more' ? [{ key: 'Tab', does: 'write it' }] : []),
      { key: 'Esc', does: dialog.filter.text === '' ? 'close' : 'clear filter' },
    ],
  };
}
