import { useMemo } from 'react';
import { cleanName } from '#lib/terminal-text.ts';
import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { isOpening } from '../status/activity.ts';
import { useStore } from '../store/use-store.ts';
import { type WelcomeInput, welcomeHints } from '../transcript/welcome.ts';
import type { ScreenApp } from './screen-app.ts';

/** What an empty transcript says; the same object until something in it changes. */
export function useWelcome({ port, store }: ScreenApp): WelcomeInput {
  const model = useStore(store, ({ thread }) => modelText(thread));
  return useMemo(
    () => ({
      version: port.version,
      cwdLabel: cleanName(port.cwdLabel),
      model: model === null ? null : cleanName(model),
      hints: welcomeHints,
    }),
    [port, model],
  );
}

function modelText(thread: ThreadState): string | null {
  if (thread.model) return formatModelRef(thread.model);
  return isOpening(thread) ? '' : null;
}
