import type { KeyHint } from './status-line.ts';

/** What of the screen decides what the keys do now. */
export type HintScene = {
  /** Ctrl+C was pressed and a second one leaves. */
  readonly isLeaving: boolean;
  /** What went into the clipboard just now. */
  readonly copied?: string | null;
  readonly hasDialog: boolean;
  readonly isSearching: boolean;
  readonly hasCompletion: boolean;
  readonly isBusy: boolean;
  /** Moves the command to the background that has run for so long that it may rather go on there. */
  readonly backgroundKey?: string | undefined;
  readonly isFollowing: boolean;
  /** Every cell is open. */
  readonly opensAll?: boolean;
  /** A draft was put aside. */
  readonly hasStash?: boolean;
  readonly draft: 'empty' | 'text' | 'shell' | 'command';
  /** Enter on an empty prompt goes on with the turn that stopped. */
  readonly canGoOn: boolean;
};

/** The most important first; a narrow status line shows only that one. */
export function keyHints(scene: HintScene): readonly KeyHint[] {
  if (scene.isLeaving) return [{ key: 'ctrl+c', does: 'leaves' }];
  if (scene.copied) return [{ key: '✓', does: scene.copied }];
  if (scene.hasDialog) return [];
  if (scene.isSearching)
    return [enter('takes it'), { key: 'ctrl+r', does: 'older' }, { key: 'esc', does: 'back' }];
  if (scene.hasCompletion)
    return [
      { key: 'tab', does: 'completes' },
      { key: 'esc', does: 'closes' },
    ];
  const newest: KeyHint[] = scene.isFollowing ? [] : [{ key: 'ctrl+end', does: 'newest' }];
  const stash: KeyHint[] =
    scene.hasStash && scene.draft === 'empty' ? [{ key: 'ctrl+s', does: 'brings the draft back' }] : [];
  const folds: KeyHint[] = scene.opensAll ? [{ key: 'alt+o', does: 'folds all' }] : [];
  const isAtRest = scene.draft === 'empty' && !scene.isBusy;
  const now = isAtRest ? [...folds, ...draftHints(scene)] : [...draftHints(scene), ...folds];
  return [...stash, ...now, ...newest];
}

function draftHints({ draft, isBusy, backgroundKey, canGoOn }: HintScene): KeyHint[] {
  const stop: KeyHint[] = isBusy ? [{ key: 'esc', does: 'stops' }] : [];
  switch (draft) {
    case 'shell':
      return [enter('runs it'), ...stop];
    case 'command':
      return [enter('runs it'), ...stop];
    case 'text':
      return isBusy ? [enter('steers'), { key: 'tab', does: 'queues' }, ...stop] : [enter('sends')];
    case 'empty':
      if (isBusy) return backgroundKey ? [...stop, { key: backgroundKey, does: 'background' }] : stop;
      return canGoOn ? [enter('goes on'), { key: '?', does: 'help' }] : [{ key: '?', does: 'help' }];
  }
}

function enter(does: string): KeyHint {
  return { key: '⏎', does };
}
