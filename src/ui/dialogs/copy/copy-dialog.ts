import type { ThreadState } from '#protocol/thread-state.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import { type CopyItem, copyItems } from './copy-items.ts';

export type CopyDialog = {
  readonly kind: 'copy';
  /** As they were when it was opened: an answer that goes on must not move the rows. */
  readonly items: readonly CopyItem[];
  readonly picker: Picker;
};

export function openCopy(thread: ThreadState): CopyDialog {
  const items = copyItems(thread);
  return { kind: 'copy', items, picker: { ...emptyPicker, list: { selected: items[0]?.id, top: 0 } } };
}

export function matchingItems({ items, picker }: CopyDialog): readonly CopyItem[] {
  return matching(picker.filter.text, items, itemText);
}

export function reduceCopy(dialog: CopyDialog, key: KeyPress, scene: KeyScene): Step<CopyDialog> | undefined {
  const ids = matchingItems(dialog).map((item) => item.id);
  const read = readPickerKey(dialog.picker, key, { ids, scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter': {
      const typed = { ...dialog, picker: { ...dialog.picker, filter: read.filter } };
      const [best] = matchingItems(typed);
      return step({ ...typed, picker: { filter: read.filter, list: { selected: best?.id, top: 0 } } });
    }
    case 'choose': {
      const item = dialog.items.find((each) => each.id === dialog.picker.list.selected);
      if (!item) return step(dialog);
      return step(dialog, { kind: 'close' }, { kind: 'copy', text: item.text, what: whatOf(item) });
    }
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

/** Of long texts only the beginning is looked at: a key must not wait for the rest. */
function itemText({ kind, label, text }: CopyItem): string {
  return `${kind} ${label} ${text.slice(0, 200)}`;
}

function whatOf({ kind, label }: CopyItem): string {
  switch (kind) {
    case 'answer':
      return 'the answer';
    case 'prompt':
      return 'the prompt';
    case 'code':
      return label === '' ? 'the code block' : `the ${label} code block`;
    case 'diff':
      return `the change of ${label}`;
    case 'command':
      return 'the command';
    case 'output':
      return 'the output';
    case 'peer':
      return `the answer of ${label}`;
  }
}
