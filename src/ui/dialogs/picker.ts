import type { KeyPress } from '../input/key-press.ts';
import { keyName } from '../input/keymap.ts';
import { type ChoiceList, emptyList, type ListMove, moveSelection } from './choice-list.ts';
import type { KeyScene } from './dialog-step.ts';
import { editField, emptyField, type TextField } from './text-field.ts';

/** A list with a filter: what every picker is made of. */
export type Picker = { readonly list: ChoiceList; readonly filter: TextField };

export const emptyPicker: Picker = { list: emptyList, filter: emptyField };

export type PickerKey =
  /** The selection or the filter's cursor is elsewhere. */
  | { kind: 'move'; picker: Picker }
  /** The filter reads otherwise now, so other rows match. */
  | { kind: 'filter'; filter: TextField }
  | { kind: 'choose' }
  /** Escape where there is no filter to take away. */
  | { kind: 'leave' };

/** Reads a key as a picker does; undefined when it means nothing here. `ids` are the rows that match. */
export function readPickerKey(
  picker: Picker,
  key: KeyPress,
  { ids, scene }: { ids: readonly string[]; scene: KeyScene },
): PickerKey | undefined {
  const list = moveByKey(picker.list, key, { ids, scene });
  if (list) return { kind: 'move', picker: { ...picker, list } };
  switch (keyName(key)) {
    case 'enter':
      return { kind: 'choose' };
    case 'ctrl+c':
      return { kind: 'leave' };
    case 'escape':
      return picker.filter.text === '' ? { kind: 'leave' } : { kind: 'filter', filter: emptyField };
  }
  const filter = editField(picker.filter, key, scene.keymap);
  if (!filter) return undefined;
  return filter.text === picker.filter.text
    ? { kind: 'move', picker: { ...picker, filter } }
    : { kind: 'filter', filter };
}

/** The list after a key that moves in lists; undefined for every other key. */
export function moveByKey(
  list: ChoiceList,
  key: KeyPress,
  { ids, scene }: { ids: readonly string[]; scene: KeyScene },
): ChoiceList | undefined {
  const move = moves[keyName(key)];
  return move ? moveSelection(list, ids, { move, pageRows: scene.pageRows }) : undefined;
}

const moves: Readonly<Partial<Record<string, ListMove>>> = {
  up: 'up',
  'ctrl+p': 'up',
  'shift+tab': 'up',
  down: 'down',
  'ctrl+n': 'down',
  tab: 'down',
  pageup: 'page-up',
  pagedown: 'page-down',
  home: 'first',
  end: 'last',
};
