import type { PermissionMode } from '#protocol/permission.ts';
import { permissionModes } from '#protocol/permission-mode.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import type { ChoiceList } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { moveByKey } from '../picker.ts';

export type ModeDialog = {
  readonly kind: 'mode';
  readonly current: PermissionMode;
  readonly list: ChoiceList;
  /** The person is asked whether they mean full_access. */
  readonly isConfirming: boolean;
};

export function openModes(current: PermissionMode): ModeDialog {
  return { kind: 'mode', current, list: { selected: current, top: 0 }, isConfirming: false };
}

export function reduceModes(
  dialog: ModeDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ModeDialog> | undefined {
  if (dialog.isConfirming) return reduceConfirmation(dialog, key);
  const list = moveByKey(dialog.list, key, { ids: permissionModes, scene });
  if (list) return step({ ...dialog, list });
  switch (keyName(key)) {
    case 'enter':
      return choose(dialog);
    case 'escape':
    case 'ctrl+c':
      return step(dialog, { kind: 'close' });
    default:
      return undefined;
  }
}

// The command knows what a mode needs before it may be switched on, so the choice goes through it.
function choose(dialog: ModeDialog): Step<ModeDialog> {
  const { selected } = dialog.list;
  if (selected === undefined || selected === dialog.current) return step(dialog, { kind: 'close' });
  if (selected === 'full_access') return step({ ...dialog, isConfirming: true });
  return step(dialog, { kind: 'close' }, { kind: 'run-command', line: `/mode ${selected}` });
}

function reduceConfirmation(dialog: ModeDialog, key: KeyPress): Step<ModeDialog> | undefined {
  switch (keyName(key)) {
    case 'y':
      return step(dialog, { kind: 'close' }, { kind: 'run-command', line: '/mode full_access i know' });
    case 'n':
    case 'escape':
    case 'ctrl+c':
      return step({ ...dialog, isConfirming: false });
    default:
      return undefined;
  }
}
