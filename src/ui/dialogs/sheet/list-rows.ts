import { type Span, span } from '../../theme/span.ts';
import { type ChoiceList, selectedIndex } from '../choice-list.ts';
import type { TextField } from '../text-field.ts';
import { blankRow, type FieldRow, row, type SheetBody, type SheetRow } from './sheet.ts';

/** What leads a row of a list: the eye finds the selected one also without colours. */
export function marker(isSelected: boolean): Span {
  return isSelected ? span('❯ ', 'accent', 'bold') : span('  ');
}

/** The rows of a list, `draw`n when they are in view; the selected one always is. */
export function listBody<Item>(
  list: ChoiceList,
  items: readonly Item[],
  { idOf, draw }: { idOf(item: Item): string; draw(item: Item, place: RowPlace<Item>): readonly Span[] },
): SheetBody {
  const selected = selectedIndex(list, items.map(idOf));
  const rowAt = (index: number): SheetRow => {
    const item = items[index];
    if (item === undefined) return blankRow;
    const isSelected = index === selected;
    return row(marker(isSelected), ...draw(item, { isSelected, above: items[index - 1] }));
  };
  return {
    count: items.length,
    row: rowAt,
    scroll: list.top,
    reveal: Math.max(0, selected),
    counter: 'none',
  };
}

export type RowPlace<Item> = { readonly isSelected: boolean; readonly above: Item | undefined };

/** `7 of 41` */
export function listNote(list: ChoiceList, ids: readonly string[]): string {
  const index = selectedIndex(list, ids);
  return index < 0 || ids.length === 0 ? '' : `${index + 1} of ${ids.length}`;
}

export function filterRow(filter: TextField, placeholder = 'type to filter'): FieldRow {
  return { kind: 'field', label: [span('› ', 'accent')], field: filter, placeholder, isFocused: true };
}
