import type { ConsultReview } from '#protocol/consult-review.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { scrollByKey } from '../scroll-keys.ts';

export type ConsultDialog = {
  readonly kind: 'consult';
  readonly review: ConsultReview;
  /** First row in view of what would be sent. */
  readonly scroll: number;
};

export function openConsult(review: ConsultReview): ConsultDialog {
  return { kind: 'consult', review, scroll: 0 };
}

/** A plain yes is there only where no secret was found. */
export function reduceConsult(
  dialog: ConsultDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ConsultDialog> | undefined {
  const { id, secrets } = dialog.review;
  const send = (how: string) =>
    step(dialog, { kind: 'close' }, { kind: 'run-command', line: `/consult send ${id}${how}` });
  switch (keyName(key)) {
    case 'y':
      return secrets.length === 0 ? send('') : step(dialog);
    case 'b':
      return secrets.length === 0 ? step(dialog) : send(' blanked');
    case 's':
      return secrets.length === 0 ? step(dialog) : send(' with-secrets');
    case 'n':
    case 'escape':
    case 'ctrl+c':
      return step(dialog, { kind: 'close' });
  }
  const scroll = scrollByKey(dialog.scroll, key, { scene, arrows: true });
  return scroll === undefined ? undefined : step({ ...dialog, scroll });
}
