import type { FoundThread, ThreadPreview, ThreadSummary } from '#protocol/thread-entry.ts';
import type { KeyPress } from '../../input/key-press.ts';
import { keyName } from '../../input/keymap.ts';
import { keepSelection } from '../choice-list.ts';
import { type DialogEffect, type KeyScene, type Step, step } from '../dialog-step.ts';
import { matching } from '../matching.ts';
import { emptyPicker, type Picker, readPickerKey } from '../picker.ts';
import { threadTree } from './thread-tree.ts';

export type ThreadsDialog = {
  readonly kind: 'threads';
  /** The thread on the screen. */
  readonly currentId: string;
  /** Ages are counted from here, milliseconds since 1970. */
  readonly openedAt: number;
  /** null until they are read. Copies stand below what they are copies of. */
  readonly threads: readonly ThreadSummary[] | null;
  readonly depths: ReadonlyMap<string, number>;
  readonly failure: string | null;
  readonly picker: Picker;
  /** Those of all projects. */
  readonly isEverywhere: boolean;
  /** Those that were put out of sight, instead of the others. */
  readonly showsArchived: boolean;
  /** Where the words of the filter were said, by anybody; null until they were looked for. */
  readonly found: {
    readonly words: string;
    readonly isWhole: boolean;
    readonly threads: ReadonlyMap<string, FoundThread>;
  } | null;
  readonly preview: { readonly threadId: string; readonly lines: ThreadPreview } | null;
};

export function openThreads(options: {
  currentId: string;
  openedAt: number;
  filter?: TextFilter;
}): ThreadsDialog {
  const { filter, ...rest } = options;
  return {
    kind: 'threads',
    ...rest,
    threads: null,
    depths: new Map(),
    failure: null,
    picker: filter === undefined ? emptyPicker : { ...emptyPicker, filter },
    isEverywhere: filter !== undefined,
    showsArchived: false,
    found: null,
    preview: null,
  };
}

type TextFilter = Picker['filter'];

export function withThreads(dialog: ThreadsDialog, threads: readonly ThreadSummary[]): ThreadsDialog {
  return keepSelected({ ...dialog, ...threadTree(threads), failure: null });
}

export function withFound(dialog: ThreadsDialog, found: NonNullable<ThreadsDialog['found']>): ThreadsDialog {
  return keepSelected({ ...dialog, found });
}

function keepSelected(dialog: ThreadsDialog): ThreadsDialog {
  const ids = matchingThreads(dialog).map((thread) => thread.threadId);
  return { ...dialog, picker: { ...dialog.picker, list: keepSelection(dialog.picker.list, ids, ids) } };
}

/** Those whose row matches, then those in which the words were said. */
export function matchingThreads(dialog: ThreadsDialog): readonly ThreadSummary[] {
  const { threads, picker, showsArchived } = dialog;
  const shown = (threads ?? []).filter(({ isArchived }) => (isArchived === true) === showsArchived);
  const matched = matching(picker.filter.text, shown, threadText);
  const found = foundThreads(dialog);
  if (found.size === 0) return matched;
  const ids = new Set(matched.map(({ threadId }) => threadId));
  const more = [...found.values()].map(({ thread }) => thread);
  return [
    ...matched,
    ...more.filter(
      ({ threadId, isArchived }) => !ids.has(threadId) && (isArchived === true) === showsArchived,
    ),
  ];
}

const nothingFound: ReadonlyMap<string, FoundThread> = new Map();

/** What was found for the filter as it reads now. */
export function foundThreads({ found, picker }: ThreadsDialog): ReadonlyMap<string, FoundThread> {
  return found !== null && found.words === picker.filter.text.trim() ? found.threads : nothingFound;
}

export function reduceThreads(
  dialog: ThreadsDialog,
  key: KeyPress,
  scene: KeyScene,
): Step<ThreadsDialog> | undefined {
  const { isEverywhere } = dialog;
  switch (keyName(key)) {
    case 'ctrl+o': {
      const next = { ...dialog, isEverywhere: !isEverywhere, found: null };
      const list: DialogEffect = { kind: 'list-threads', isEverywhere: !isEverywhere };
      return step(next, list, ...searchFor(next));
    }
    case 'ctrl+r':
      return withPreview(keepSelected({ ...dialog, showsArchived: !dialog.showsArchived }));
  }
  const ids = matchingThreads(dialog).map((thread) => thread.threadId);
  const read = readPickerKey(dialog.picker, key, { ids, scene });
  switch (read?.kind) {
    case 'move':
      return withPreview({ ...dialog, picker: read.picker });
    case 'filter': {
      const typed = { ...dialog, picker: { ...dialog.picker, filter: read.filter } };
      const [best] = matchingThreads(typed);
      const next = { ...typed, picker: { filter: read.filter, list: { selected: best?.threadId, top: 0 } } };
      return withPreview(next, ...searchFor(next));
    }
    case 'choose':
      return choose(dialog);
    case 'leave':
      return step(dialog, { kind: 'close' });
    case undefined:
      return undefined;
  }
}

function choose(dialog: ThreadsDialog): Step<ThreadsDialog> {
  const threadId = dialog.picker.list.selected;
  if (threadId === undefined) return step(dialog);
  const found = foundThreads(dialog).get(threadId);
  const words = found ? { words: dialog.picker.filter.text.trim() } : {};
  if (threadId === dialog.currentId && !found) return step(dialog, { kind: 'close' });
  const thread = matchingThreads(dialog).find((each) => each.threadId === threadId);
  // A peer's thread is read, and gone on with by asking.
  if (thread?.kind === 'consult')
    return step(
      dialog,
      { kind: 'close' },
      { kind: 'run-command', line: `/consult show ${thread.name ?? threadId}` },
    );
  return step(dialog, { kind: 'close' }, { kind: 'open-thread', threadId, ...words });
}

/** Looks at the selected thread, where that is another one now. */
function withPreview(dialog: ThreadsDialog, ...effects: DialogEffect[]): Step<ThreadsDialog> {
  const { selected } = dialog.picker.list;
  if (selected === undefined || dialog.preview?.threadId === selected) return step(dialog, ...effects);
  return step(dialog, ...effects, { kind: 'preview-thread', threadId: selected });
}

/** What finds the words of the filter. */
export function searchFor({
  picker,
  isEverywhere,
}: ThreadsDialog): Extract<DialogEffect, { kind: 'search-threads' }>[] {
  const words = picker.filter.text.trim();
  return words === '' ? [] : [{ kind: 'search-threads', words, isEverywhere }];
}

function threadText({ name, title, model, threadId, peer }: ThreadSummary): string {
  return `${name ?? ''} ${title} ${model ?? ''} ${peer ?? ''} ${threadId}`;
}
