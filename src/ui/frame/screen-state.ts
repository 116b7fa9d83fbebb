import { fallbackTheme, type Theme } from '../theme/theme.ts';

/** What belongs to the screen itself: neither to the thread nor to the prompt. */
type ScreenState = {
  readonly theme: Theme;
  readonly themeId: string;
  /** Ctrl+C was pressed; a second one soon leaves. */
  readonly isLeaving: boolean;
  /** As the status line shows it; empty outside a repository. */
  readonly branch: string;
  /** A sandbox holds the commands of the model. */
  readonly isSandboxed: boolean;
};

export interface ScreenStore {
  get(): ScreenState;
  subscribe(listener: () => void): () => void;
  update(change: Partial<ScreenState>): void;
}

export function createScreenStore(start: Partial<ScreenState> = {}): ScreenStore {
  const listeners = new Set<() => void>();
  let state: ScreenState = {
    theme: fallbackTheme({ colorLevel: 'none' }),
    themeId: '',
    isLeaving: false,
    branch: '',
    isSandboxed: false,
    ...start,
  };
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update(change) {
      state = { ...state, ...change };
      for (const listener of [...listeners]) listener();
    },
  };
}
