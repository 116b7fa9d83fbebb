import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import type { ChoiceList } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { moveByKey } from '../picker.ts';

export type ThemeDialog = {
  readonly kind: 'theme';
  readonly ids: readonly string[];
  /** What was on the screen before; Escape goes back to it. */
  readonly before: string;
  readonly list: ChoiceList;
};

export function openThemes(options: { ids: readonly string[]; current: string }): ThemeDialog {
  const { current } = options;
  // A theme that follows the terminal is none of the files.
  const ids = options.ids.includes(current) ? options.ids : [current, ...options.ids];
  return { kind: 'theme', ids, before: current, list: { selected: current, top: 0 } };
}

/** The whole screen wears the selected theme until the person decides. */
export function reduceThemes(
  dialog: ThemeDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ThemeDialog> | undefined {
  const list = moveByKey(dialog.list, key, { ids: dialog.ids, scene });
  if (list?.selected !== undefined)
    return step({ ...dialog, list }, { kind: 'preview-theme', theme: list.selected });
  switch (keyName(key)) {
    case 'enter': {
      const theme = dialog.list.selected ?? dialog.before;
      return step(dialog, { kind: 'close' }, { kind: 'save-theme', theme });
    }
    case 'escape':
    case 'ctrl+c':
      return step(dialog, { kind: 'preview-theme', theme: dialog.before }, { kind: 'close' });
    default:
      return undefined;
  }
}
