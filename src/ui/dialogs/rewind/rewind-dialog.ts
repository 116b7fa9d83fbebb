import { cleanName } from '#lib/terminal-text.ts';
import type { Message } from '#protocol/message.ts';
import type { RewindPreview } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import { scrollByKey } from '../scroll-keys.ts';

/** A message of the person that one can go back to before. */
export type RewindPoint = {
  readonly promptId: string;
  readonly text: string;
  readonly at: number;
  /** Files that were changed from here to the next message. */
  readonly files: number;
};

export type RewindDialog = {
  readonly kind: 'rewind';
  /** Newest first. */
  readonly points: readonly RewindPoint[];
  /** Ages are counted from here, milliseconds since 1970. */
  readonly openedAt: number;
  readonly picker: Picker;
  /** The point that was chosen; null while one is looked for. */
  readonly point: RewindPoint | null;
  /** null until it is looked up. */
  readonly preview: RewindPreview | null;
  readonly failure: string | null;
  /** Files that somebody else changed meanwhile are overwritten too. */
  readonly isForced: boolean;
  readonly scroll: number;
};

export function openRewind(thread: ThreadState, openedAt: number): RewindDialog {
  const changed = new Map<string, Set<string>>();
  for (const { cause, isUndone, promptId, names, files } of thread.changes ?? []) {
    if (cause !== 'call' || isUndone || promptId === null) continue;
    const paths = changed.get(promptId) ?? new Set();
    for (const name of names) paths.add(name);
    // Of many only the first are named.
    for (let more = names.length; more < files; more += 1) paths.add(`${paths.size} ${more}`);
    changed.set(promptId, paths);
  }
  const points = thread.messages
    .filter((message) => message.role === 'user' && message.origin === 'person')
    .map((message) => ({
      promptId: message.id,
      text: textOf(message),
      at: message.createdAt,
      files: changed.get(message.id)?.size ?? 0,
    }))
    .reverse();
  return {
    kind: 'rewind',
    points,
    openedAt,
    picker: { ...emptyPicker, list: { selected: points[0]?.promptId, top: 0 } },
    point: null,
    preview: null,
    failure: null,
    isForced: false,
    scroll: 0,
  };
}

export function matchingPoints({ points, picker }: RewindDialog): readonly RewindPoint[] {
  return matching(picker.filter.text, points, ({ text }) => text);
}

export function reduceRewind(
  dialog: RewindDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<RewindDialog> | undefined {
  return dialog.point ? reducePoint(dialog, dialog.point, { key, scene }) : reducePoints(dialog, key, scene);
}

function reducePoints(dialog: RewindDialog, key: KeyPress, scene: KeyScene): Step<RewindDialog> | undefined {
  const shown = matchingPoints(dialog);
  const read = readPickerKey(dialog.picker, key, { ids: shown.map(({ promptId }) => promptId), scene });
  switch (read?.kind) {
    case 'move':
      return step({ ...dialog, picker: read.picker });
    case 'filter': {
      const typed = { ...dialog, picker: { ...dialog.picker, filter: read.filter } };
      const [best] = matchingPoints(typed);
      return step({ ...typed, picker: { filter: read.filter, list: { selected: best?.promptId, top: 0 } } });
    }
    case 'choose': {
      const point = shown.find(({ promptId }) => promptId === dialog.picker.list.selected);
      if (!point) return step(dialog);
      const chosen = { ...dialog, point, preview: null, failure: null, isForced: false, scroll: 0 };
      return step(chosen, { kind: 'preview-rewind', promptId: point.promptId });
    }
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

function reducePoint(
  dialog: RewindDialog,
  { promptId, text }: RewindPoint,
  { key, scene }: { key: KeyPress; scene: KeyScene },
): Step<RewindDialog> | undefined {
  const go = (what: 'code' | 'conversation' | 'both') =>
    step(
      dialog,
      { kind: 'close' },
      {
        kind: 'submit',
        action: { kind: 'rewind', promptId, what, edited: dialog.isForced ? 'overwrite' : 'keep' },
      },
      ...(what === 'code' ? [] : [{ kind: 'draft', text } as const]),
    );
  switch (keyName(key)) {
    case 'b':
      return go('both');
    case 'c':
      return go('code');
    case 't':
      return go('conversation');
    case 'f':
      return hasEdited(dialog) ? step({ ...dialog, isForced: !dialog.isForced }) : step(dialog);
    case 'escape':
      return step({ ...dialog, point: null });
    case 'ctrl+c':
      return step(dialog, { kind: 'close' });
  }
  const scroll = scrollByKey(dialog.scroll, key, { scene, arrows: true });
  return scroll === undefined ? undefined : step({ ...dialog, scroll });
}

export function hasEdited({ preview }: RewindDialog): boolean {
  return preview?.files.some(({ state }) => state === 'edited') ?? false;
}

function textOf({ parts }: Message): string {
  const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' ? cleanName('(an image)') : text;
}
