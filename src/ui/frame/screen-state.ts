import type { ChordHint } from '../input/chords.ts';
import type { PanelKind } from '../panel/panel-rows.ts';
import { fallbackTheme, type Theme } from '../theme/theme.ts';

/** What belongs to the screen itself: neither to the thread nor to the prompt. */
type ScreenState = {
  readonly theme: Theme;
  readonly themeId: string;
  /** Ctrl+C was pressed; a second one soon leaves. */
  readonly isLeaving: boolean;
  /** What went into the clipboard just now, e.g. `copied 3 lines`. */
  readonly copied: string | null;
  /** As the status line shows it; empty outside a repository. */
  readonly branch: string;
  /** A sandbox holds the commands of the model. */
  readonly isSandboxed: boolean;
  /** What stands beside the conversation, or below it where there is no room. */
  readonly panel: PanelKind | null;
  /** Keys that can come next, once the person hesitates. */
  readonly chord: ChordHint | null;
};

export interface ScreenStore {
  get(): ScreenState;
  subscribe(listener: () => void): () => void;
  update(change: Partial<ScreenState>): void;
  /** Opens it, in the place of another one; closes it when it is open. */
  togglePanel(panel: PanelKind): void;
}

export function createScreenStore(start: Partial<ScreenState> = {}): ScreenStore {
  const listeners = new Set<() => void>();
  let state: ScreenState = {
    theme: fallbackTheme({ colorLevel: 'none' }),
    themeId: '',
    isLeaving: false,
    copied: null,
    branch: '',
    isSandboxed: false,
    panel: null,
    chord: null,
    ...start,
  };
  const update = (change: Partial<ScreenState>) => {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update,
    togglePanel: (panel) => update({ panel: state.panel === panel ? null : panel }),
  };
}
