import type { ModelPreflight } from '#protocol/model-preflight.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type Step, step } from '../dialog-step.ts';
import type { ModelDialog } from './model-dialog.ts';

/** What the keys do while the person looks at what switching means. */
export function reducePreflight(
  dialog: ModelDialog,
  card: ModelPreflight,
  key: KeyPress,
): Step<ModelDialog> | undefined {
  const { ref } = card.info;
  switch (keyName(key)) {
    case 'enter':
      return step(dialog, { kind: 'close' }, { kind: 'choose-model', ref });
    case 'c':
      if (!canCompact(card)) return step(dialog);
      return step(dialog, { kind: 'close' }, { kind: 'choose-model', ref, compactFirst: true });
    case 'escape':
    case 'ctrl+c':
      return dialog.isCardOnly
        ? step(dialog, { kind: 'close' })
        : step({ ...dialog, card: null, checking: null });
    case 'alt+p':
      return step(dialog, { kind: 'close' });
    default:
      return undefined;
  }
}

/** A history that is short and fits is not worth the loss, nor is a summary that frees too little. */
const longHistory = 20_000;

export function canCompact({ fit, tokens, compacted }: ModelPreflight): boolean {
  return compacted < tokens * 0.7 && (fit !== 'fits' || tokens >= longHistory);
}
