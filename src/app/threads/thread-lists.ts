import { indexThreads, searchThreads } from '#engine/thread/find-words.ts';
import { listConsults, listThreads } from '#engine/thread/store.ts';
import { systemClock } from '#lib/clock.ts';
import type { FoundThread, ThreadSummary } from '#protocol/thread-entry.ts';

/** What a search waits for words that are not in the index yet. */
const freshMs = 250;

export type ThreadLists = {
  threads(options?: { isEverywhere: boolean }): Promise<ThreadSummary[]>;
  search(
    words: string,
    options: { isEverywhere: boolean },
  ): Promise<{ threads: FoundThread[]; isWhole: boolean }>;
};

/** Lists and search of the threads of a home, for the picker. Old threads are read into the index while it is open. */
export function createThreadLists({
  home,
  cwd,
  signal,
}: {
  home: string;
  cwd: () => string;
  signal: AbortSignal;
}): ThreadLists {
  let indexing: Promise<unknown> | undefined;
  return {
    async threads({ isEverywhere } = { isEverywhere: false }) {
      if (isEverywhere) return listThreads(home);
      const threads = [...(await listThreads(home, { cwd: cwd() })), ...(await listConsults(home))];
      return threads.sort((a, b) => b.updatedAt - a.updatedAt);
    },
    async search(words, { isEverywhere }) {
      indexing ??= indexThreads(home, { signal }).finally(() => {
        indexing = undefined;
      });
      const isWhole = await endsIn(indexing, freshMs);
      const threads = await searchThreads(home, words, isEverywhere ? {} : { cwd: cwd() });
      return { threads: threads ?? [], isWhole };
    },
  };
}

async function endsIn(work: Promise<unknown>, ms: number): Promise<boolean> {
  const limit = Promise.withResolvers<false>();
  const cancel = systemClock.after(ms, () => limit.resolve(false));
  const ended = await Promise.race([work.then(() => true), limit.promise]);
  cancel();
  return ended;
}
