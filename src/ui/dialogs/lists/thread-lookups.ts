import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import type { ScreenPort } from '#protocol/screen-port.ts';
import type { ThreadPreview } from '#protocol/thread-entry.ts';
import type { DialogEffect } from '../dialog-step.ts';
import { searchFor, type ThreadsDialog, withFound, withThreads } from './threads-dialog.ts';

export type ThreadLookup = Extract<
  DialogEffect,
  { kind: 'list-threads' } | { kind: 'search-threads' } | { kind: 'preview-thread' }
>;

/** Puts what was found into the picker, if it is still open. */
type Update = (change: (dialog: ThreadsDialog) => ThreadsDialog) => void;

const noLines: ThreadPreview = { first: [], last: [] };

/** Looks up what the picker of threads asks for. Never rejects. */
export async function lookUpThreads(lookup: ThreadLookup, port: ScreenPort, update: Update): Promise<void> {
  switch (lookup.kind) {
    case 'list-threads':
      return listThreads(lookup.isEverywhere, port, update);
    case 'search-threads':
      return search(lookup, port, update);
    case 'preview-thread':
      return preview(lookup.threadId, port, update);
  }
}

/** What a picker that was just opened shows. Never rejects. */
export async function fillThreads(dialog: ThreadsDialog, port: ScreenPort, update: Update): Promise<void> {
  await listThreads(dialog.isEverywhere, port, update);
  for (const effect of searchFor(dialog)) await lookUpThreads(effect, port, update);
}

async function listThreads(isEverywhere: boolean, port: ScreenPort, update: Update): Promise<void> {
  try {
    const threads = await port.threads({ isEverywhere });
    let selected: string | undefined;
    update((open) => {
      if (open.isEverywhere !== isEverywhere) return open;
      const next = withThreads(open, threads);
      selected = next.picker.list.selected;
      return next;
    });
    if (selected !== undefined) await preview(selected, port, update);
  } catch (error) {
    update((open) => ({ ...open, threads: [], failure: errorText(error) }));
  }
}

async function search(
  { words, isEverywhere }: Extract<ThreadLookup, { kind: 'search-threads' }>,
  port: ScreenPort,
  update: Update,
): Promise<void> {
  try {
    const result = await port.searchThreads?.(words, { isEverywhere });
    if (!result) return;
    const threads = new Map(result.threads.map((found) => [found.thread.threadId, found]));
    update((open) =>
      open.picker.filter.text.trim() === words && open.isEverywhere === isEverywhere
        ? withFound(open, { words, isWhole: result.isWhole, threads })
        : open,
    );
  } catch (error) {
    log('threads cannot be searched:', errorText(error)); // The list is there without it.
  }
}

async function preview(threadId: string, port: ScreenPort, update: Update): Promise<void> {
  const lines = (await port.threadPreview?.(threadId).catch(() => undefined)) ?? noLines;
  update((open) =>
    open.picker.list.selected === threadId ? { ...open, preview: { threadId, lines } } : open,
  );
}
