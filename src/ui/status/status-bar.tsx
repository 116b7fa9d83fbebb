import { useAnimation } from 'ink';
import { useSyncExternalStore } from 'react';
import { cleanName } from '#lib/terminal-text.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import { mostRunningShells } from '#protocol/shell-limits.ts';
import type { BackgroundShell } from '#protocol/shells.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { Row } from '../frame/row.tsx';
import type { ScreenApp } from '../frame/screen-app.ts';
import { keyFor } from '../input/keymap.ts';
import { isCommandLine } from '../prompt/completion.ts';
import { isShellLine } from '../prompt/prompt-rows.ts';
import type { PromptStore } from '../prompt/prompt-store.ts';
import { vimLabel } from '../prompt/vim-prompt.ts';
import { hasEqualFields, type StoreState, useStore } from '../store/use-store.ts';
import { isBusy, isOpening } from './activity.ts';
import { formatCost, formatTokens } from './format.ts';
import { type HintScene, keyHints } from './hints.ts';
import { type StatusInput, statusRow } from './status-line.ts';
import { canGoOn, runningCommand } from './turn-facts.ts';

/** The last row: mode, model, fill, cost, place, and what the keys do now. */
export function StatusBar({ app, width, margin }: { app: ScreenApp; width: number; margin: number }) {
  const { port, store, screen } = app;
  const thread = useStore(store, threadStatus, hasEqualFields);
  const branch = useSyncExternalStore(screen.subscribe, () => screen.get().branch);
  const isSandboxed = useSyncExternalStore(screen.subscribe, () => screen.get().isSandboxed);
  const hints = useHints(app);
  const vim = useSyncExternalStore(app.prompt.subscribe, () => vimLabel(app.prompt.getState().vim));
  const input: StatusInput = { ...thread, vim, isSandboxed, folder: cleanName(port.cwdLabel), branch, hints };
  return <Row spans={statusRow(input, { width, margin })} />;
}

/** Rounded as it is shown, so that a token more does not draw the line again. */
export function threadStatus({
  thread,
}: StoreState): Omit<StatusInput, 'vim' | 'folder' | 'branch' | 'hints' | 'isSandboxed'> {
  const { mode, totals, modelPrice, standsInFor } = thread;
  const model = thread.live?.model ?? thread.model;
  return {
    mode,
    model: model ? nameOf(model) : isOpening(thread) ? '' : null,
    provider: model && !isDemo(model) ? cleanName(model.provider) : '',
    isStandIn: standsInFor !== undefined,
    aside: asideText(thread),
    contextShare: contextShare(thread),
    tokens: totals.steps === 0 ? '' : formatTokens(totals.input + totals.output),
    cost: formatCost(totals, modelPrice),
    backgroundCount: runningShells(thread, () => true),
  };
}

function runningShells({ shells }: ThreadState, isCounted: (shell: BackgroundShell) => boolean): number {
  return shells?.filter((shell) => shell.state === 'running' && isCounted(shell)).length ?? 0;
}

function nameOf(model: ModelRef): string {
  if (isDemo(model)) return 'demo (offline, scripted)';
  return cleanName(model.model + (model.effort ? ` ${model.effort}` : ''));
}

function isDemo({ provider }: ModelRef): boolean {
  return provider === 'demo';
}

/** An answer that began before a switch is still the other model's. */
function asideText({ live, model, standsInFor }: ThreadState): string {
  if (live?.model && model && formatModelRef(live.model) !== formatModelRef(model))
    return `→ ${nameOf(model)}`;
  return standsInFor ? `for ${nameOf(standsInFor)}` : '';
}

/** As the last call was counted; before the first one what every request carries is all there is. */
function contextShare({ contextTokens, contextWindow, frame }: ThreadState): number | null {
  const tokens = contextTokens ?? (frame ? frame.system + frame.instructions + frame.tools : null);
  if (tokens === null || !contextWindow) return null;
  return Math.round((tokens / contextWindow) * 100) / 100;
}

const longCommandMs = 5_000;

/**
 * The key that moves a long command to the background, while one runs that can be moved. Looks once a second, and
 * only until the command is long.
 */
function useBackgroundKey({ store, clock, dialogs }: ScreenApp): string | undefined {
  const startedAt = useStore(store, ({ thread }) => {
    const isFull = runningShells(thread, ({ isEarlier }) => !isEarlier) >= mostRunningShells;
    const callId = isFull ? undefined : runningCommand(thread);
    return callId === undefined ? undefined : thread.activeRuns[callId]?.startedAt;
  });
  const isLong = startedAt !== undefined && clock.now() - startedAt >= longCommandMs;
  useAnimation({ interval: 1_000, isActive: startedAt !== undefined && !isLong });
  return isLong ? keyFor(dialogs.keymap, 'screen', 'background-run') : undefined;
}

function useHints(app: ScreenApp) {
  const { store, screen, prompt, dialogs } = app;
  const backgroundKey = useBackgroundKey(app);
  const thread = useStore(
    store,
    ({ thread, view }) => ({
      isBusy: isBusy(thread),
      canGoOn: canGoOn(thread),
      isFollowing: view.scroll.kind === 'follow',
      opensAll: view.opensAll,
    }),
    hasEqualFields,
  );
  const isLeaving = useSyncExternalStore(screen.subscribe, () => screen.get().isLeaving);
  const copied = useSyncExternalStore(screen.subscribe, () => screen.get().copied);
  const hasDialog = useSyncExternalStore(dialogs.subscribe, () => dialogs.isOpen());
  const draft = useSyncExternalStore(prompt.subscribe, () => draftKind(prompt));
  const isSearching = useSyncExternalStore(prompt.subscribe, () => prompt.getState().search !== null);
  const hasCompletion = useSyncExternalStore(prompt.subscribe, () => prompt.getState().completion !== null);
  const hasStash = useSyncExternalStore(prompt.subscribe, () => prompt.getState().stash !== null);
  return keyHints({
    ...thread,
    hasStash,
    backgroundKey,
    isLeaving,
    copied,
    hasDialog,
    draft,
    isSearching,
    hasCompletion,
  });
}

function draftKind(prompt: PromptStore): HintScene['draft'] {
  const { text } = prompt.getState().editor;
  if (text.trim() === '') return 'empty';
  if (isShellLine(text)) return 'shell';
  return isCommandLine(text) ? 'command' : 'text';
}
