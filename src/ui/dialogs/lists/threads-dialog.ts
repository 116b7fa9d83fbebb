import type { ThreadSummary } from '#protocol/thread-entry.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keepSelection } from '../choice-list.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';

export type ThreadsDialog = {
  readonly kind: 'threads';
  /** The thread on the screen. */
  readonly currentId: string;
  /** Ages are counted from here, milliseconds since 1970. */
  readonly openedAt: number;
  /** null until they are read. */
  readonly threads: readonly ThreadSummary[] | null;
  readonly failure: string | null;
  readonly picker: Picker;
};

export function openThreads(options: { currentId: string; openedAt: number }): ThreadsDialog {
  return { kind: 'threads', ...options, threads: null, failure: null, picker: emptyPicker };
}

export function withThreads(dialog: ThreadsDialog, threads: readonly ThreadSummary[]): ThreadsDialog {
  const next = { ...dialog, threads };
  const ids = matchingThreads(next).map((thread) => thread.threadId);
  return { ...next, picker: { ...dialog.picker, list: keepSelection(dialog.picker.list, ids, ids) } };
}

export function matchingThreads({ threads, picker }: ThreadsDialog): readonly ThreadSummary[] {
  return matching(picker.filter.text, threads ?? [], threadText);
}

export function reduceThreads(
  dialog: ThreadsDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ThreadsDialog> | undefined {
  const ids = matchingThreads(dialog).map((thread) => thread.threadId);
  const read = readPickerKey(dialog.picker, key, { ids, scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter': {
      const typed = { ...dialog, picker: { ...dialog.picker, filter: read.filter } };
      const [best] = matchingThreads(typed);
      return step({ ...typed, picker: { filter: read.filter, list: { selected: best?.threadId, top: 0 } } });
    }
    case 'choose': {
      const threadId = dialog.picker.list.selected;
      if (threadId === undefined) return step(dialog);
      if (threadId === dialog.currentId) return step(dialog, { kind: 'close' });
      const thread = dialog.threads?.find((each) => each.threadId === threadId);
      // A peer's thread is read, and gone on with by asking.
      if (thread?.kind === 'consult')
        return step(
          dialog,
          { kind: 'close' },
          { kind: 'run-command', line: `/consult show ${thread.name ?? threadId}` },
        );
      return step(dialog, { kind: 'close' }, { kind: 'open-thread', threadId });
    }
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

function threadText({ name, title, model, threadId, peer }: ThreadSummary): string {
  return `${name ?? ''} ${title} ${model ?? ''} ${peer ?? ''} ${threadId}`;
}
