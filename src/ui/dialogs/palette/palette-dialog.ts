import type { CommandSpec } from '#protocol/command.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { type Keymap, keyName } from '../../input/keymap.ts';
import { emptyList } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import { type PaletteEntry, paletteEntries } from './palette-entries.ts';

/** Every command and action, to be found by its name. */
export type PaletteDialog = Picker & {
  readonly kind: 'palette';
  readonly entries: readonly PaletteEntry[];
};

export function openPalette(options: {
  commands: readonly CommandSpec[];
  keymap: Keymap;
  chosen: readonly string[];
}): PaletteDialog {
  const entries = paletteEntries(options);
  return {
    ...emptyPicker,
    kind: 'palette',
    entries,
    list: { ...emptyList, selected: entries[0]?.id },
  };
}

export function shownEntries({ entries, filter }: PaletteDialog): readonly PaletteEntry[] {
  return matching(filter.text, entries, ({ name, does }) => `${name} ${does}`);
}

export function reducePalette(
  dialog: PaletteDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<PaletteDialog> | undefined {
  const shown = shownEntries(dialog);
  if (keyName(key) === 'tab') return choose(dialog, shown, { isWritten: true });
  const read = readPickerKey(dialog, key, { ids: shown.map(({ id }) => id), scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, ...read.picker });
    case 'filter': {
      const filtered = { ...dialog, filter: read.filter };
      return step({ ...filtered, list: { ...emptyList, selected: shownEntries(filtered)[0]?.id } });
    }
    case 'choose':
      return choose(dialog, shown, { isWritten: false });
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

/** Written into the prompt when the person wants to add something to it, or has to. */
function choose(
  dialog: PaletteDialog,
  shown: readonly PaletteEntry[],
  { isWritten }: { isWritten: boolean },
): Step<PaletteDialog> {
  const entry = shown.find(({ id }) => id === dialog.list.selected);
  if (!entry) return step(dialog);
  const isIncomplete = entry.kind === 'command' && (entry.takes === 'must' || isWritten);
  return step(
    dialog,
    { kind: 'close' },
    { kind: 'choose-entry', entry, how: isIncomplete ? 'write' : 'run' },
  );
}
