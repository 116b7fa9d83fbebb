import { useSyncExternalStore } from 'react';
import { cleanName } from '#lib/terminal-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { isCommandLine } from '../prompt/completion.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import { isShellLine } from '../prompt/prompt-text.tsx';
import { canGoOn } from '../root/controller.ts';
import { Row } from '../root/row.tsx';
import type { ScreenApp } from '../root/screen-app.ts';
import { hasEqualFields, type StoreState, useStore } from '../store/use-store.ts';
import { isBusy, isOpening } from './activity.ts';
import { formatCost, formatTokens } from './format.ts';
import { type HintScene, keyHints } from './hints.ts';
import { type StatusInput, statusRow } from './status-line.ts';

/** The last row: mode, model, fill, cost, place, and what the keys do now. */
export function StatusBar({ app, width, margin }: { app: ScreenApp; width: number; margin: number }) {
  const { port, store, screen } = app;
  const thread = useStore(store, threadStatus, hasEqualFields);
  const branch = useSyncExternalStore(screen.subscribe, () => screen.get().branch);
  const hints = useHints(app);
  const input: StatusInput = { ...thread, folder: cleanName(port.cwdLabel), branch, hints };
  return <Row spans={statusRow(input, { width, margin })} />;
}

/** Rounded as it is shown, so that a token more does not draw the line again. */
export function threadStatus({ thread }: StoreState): Omit<StatusInput, 'folder' | 'branch' | 'hints'> {
  const { model, mode, totals, contextTokens, contextWindow } = thread;
  const isDemo = model?.provider === 'demo';
  const share = contextTokens !== null && contextWindow ? contextTokens / contextWindow : null;
  return {
    mode,
    model: modelText(thread),
    provider: model && !isDemo ? cleanName(model.provider) : '',
    contextShare: share === null ? null : Math.round(share * 100) / 100,
    tokens: totals.steps === 0 ? '' : formatTokens(totals.input + totals.output),
    cost: formatCost(totals),
  };
}

function modelText(thread: ThreadState): string | null {
  const { model } = thread;
  if (!model) return isOpening(thread) ? '' : null;
  if (model.provider === 'demo') return 'demo (offline, scripted)';
  return cleanName(model.model + (model.effort ? ` ${model.effort}` : ''));
}

function useHints({ store, screen, prompt, dialogs }: ScreenApp) {
  const thread = useStore(
    store,
    ({ thread, view }) => ({
      isBusy: isBusy(thread),
      canGoOn: canGoOn(thread),
      isFollowing: view.scroll.kind === 'follow',
    }),
    hasEqualFields,
  );
  const isLeaving = useSyncExternalStore(screen.subscribe, () => screen.get().isLeaving);
  const hasDialog = useSyncExternalStore(dialogs.subscribe, () => dialogs.isOpen());
  const draft = useSyncExternalStore(prompt.subscribe, () => draftKind(prompt));
  const isSearching = useSyncExternalStore(prompt.subscribe, () => prompt.getState().search !== null);
  const hasCompletion = useSyncExternalStore(prompt.subscribe, () => prompt.getState().completion !== null);
  return keyHints({ ...thread, isLeaving, hasDialog, draft, isSearching, hasCompletion });
}

function draftKind(prompt: PromptStore): HintScene['draft'] {
  const { text } = prompt.getState().editor;
  if (text.trim() === '') return 'empty';
  if (isShellLine(text)) return 'shell';
  return isCommandLine(text) ? 'command' : 'text';
}
