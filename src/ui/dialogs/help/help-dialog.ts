import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { scrollByKey } from '../scroll-keys.ts';
import { editField, emptyField, type TextField } from '../text-field.ts';

export const helpTabs = ['keys', 'commands'] as const;
export type HelpTab = (typeof helpTabs)[number];

export type HelpDialog = {
  readonly kind: 'help';
  readonly tab: HelpTab;
  readonly filter: TextField;
  readonly scroll: number;
};

export const openHelp: HelpDialog = { kind: 'help', tab: 'keys', filter: emptyField, scroll: 0 };

export function reduceHelp(dialog: HelpDialog, key: KeyPress, scene: KeyScene): Step<HelpDialog> | undefined {
  switch (keyName(key)) {
    case 'left':
    case 'right':
    case 'tab':
    case 'shift+tab':
      return step({ ...dialog, tab: dialog.tab === 'keys' ? 'commands' : 'keys', scroll: 0 });
    case 'escape':
      if (dialog.filter.text !== '') return step({ ...dialog, filter: emptyField, scroll: 0 });
      return step(dialog, { kind: 'close' });
    case 'enter':
    case 'ctrl+c':
      return step(dialog, { kind: 'close' });
  }
  const scroll = scrollByKey(dialog.scroll, key, { scene, arrows: true });
  if (scroll !== undefined) return step({ ...dialog, scroll });
  const filter = editField(dialog.filter, key, scene.keymap);
  return filter ? step({ ...dialog, filter, scroll: 0 }) : undefined;
}
