import type { KeyPress } from '../../input/key-press.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';

export type SettingRow = { readonly key: string; readonly value: string; readonly origin: string };

/** All settings with where each came from. To be read, not changed. */
export type ConfigDialog = {
  readonly kind: 'config';
  /** null until they are read. */
  readonly rows: readonly SettingRow[] | null;
  readonly failure: string | null;
  readonly picker: Picker;
};

export const openConfig: ConfigDialog = { kind: 'config', rows: null, failure: null, picker: emptyPicker };

export function withSettings(dialog: ConfigDialog, rows: readonly SettingRow[]): ConfigDialog {
  return selectFirst({ ...dialog, rows });
}

export function matchingSettings({ rows, picker }: ConfigDialog): readonly SettingRow[] {
  return matching(picker.filter.text, rows ?? [], (row) => `${row.key} ${row.value} ${row.origin}`);
}

export function reduceConfig(
  dialog: ConfigDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ConfigDialog> | undefined {
  const ids = matchingSettings(dialog).map((row) => row.key);
  const read = readPickerKey(dialog.picker, key, { ids, scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter':
      return step(selectFirst({ ...dialog, picker: { ...dialog.picker, filter: read.filter } }));
    case 'choose':
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

function selectFirst(dialog: ConfigDialog): ConfigDialog {
  const [first] = matchingSettings(dialog);
  return { ...dialog, picker: { ...dialog.picker, list: { selected: first?.key, top: 0 } } };
}
