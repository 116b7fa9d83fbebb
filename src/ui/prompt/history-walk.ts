/**
 * Stepping through earlier prompts, as they stood in the editor. `index` null = the draft, which is kept while
 * older ones are shown.
 */
export type HistoryWalk = {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Those that were said in other projects only: a walk passes them by. */
  readonly elsewhere: ReadonlySet<string>;
  readonly index: number | null;
  readonly draft: string;
};

/** A search from the newest entry back. `index` null = nothing holds `query`. */
export type HistorySearch = {
  readonly query: string;
  readonly index: number | null;
  /** Also through what was said in other projects. */
  readonly isEverywhere: boolean;
};

const keptEntries = 1_000;
export const emptyHistory: HistoryWalk = { entries: [], elsewhere: new Set(), index: null, draft: '' };

/** The prompts of earlier sessions come before what was sent since. */
export function addLoaded(
  walk: HistoryWalk,
  texts: readonly string[],
  elsewhere: ReadonlySet<string> = new Set(),
): HistoryWalk {
  const loaded = texts.slice(-keptEntries);
  const entries = [...loaded, ...walk.entries];
  const foreign = new Set([...elsewhere].filter((text) => !walk.entries.includes(text)));
  return {
    ...walk,
    entries,
    elsewhere: foreign,
    index: walk.index === null ? null : walk.index + loaded.length,
  };
}

/** After sending: the walk ends, and the same text twice in a row is one entry. */
export function addSent(walk: HistoryWalk, text: string): HistoryWalk {
  const isRepeat = walk.entries.at(-1) === text;
  const entries = isRepeat ? walk.entries : [...walk.entries, text].slice(-keptEntries);
  const elsewhere = new Set(walk.elsewhere);
  elsewhere.delete(text);
  return { entries, elsewhere, index: null, draft: '' };
}

/** One step; undefined when there is none in that direction. `current` is kept as the draft when the walk starts. */
export function step(
  walk: HistoryWalk,
  direction: 'older' | 'newer',
  current: string,
): { walk: HistoryWalk; text: string } | undefined {
  const { entries, index } = walk;
  if (direction === 'newer') {
    if (index === null) return undefined;
    const next = own(walk, index + 1, 1);
    const text = next === null ? walk.draft : (entries[next] ?? '');
    return { walk: { ...walk, index: next }, text };
  }
  const next = own(walk, (index ?? entries.length) - 1, -1);
  const text = next === null ? undefined : entries[next];
  if (text === undefined) return undefined;
  return { walk: { ...walk, index: next, draft: index === null ? current : walk.draft }, text };
}

/** The nearest entry of this project from `start` on. */
function own({ entries, elsewhere }: HistoryWalk, start: number, delta: 1 | -1): number | null {
  for (let index = start; index >= 0 && index < entries.length; index += delta)
    if (!elsewhere.has(entries[index] ?? '')) return index;
  return null;
}

/** The newest entry that holds `query` (capitals count only if it has some), at or before `from`. */
export function searchBack(walk: HistoryWalk, search: Query, from?: number): HistorySearch {
  return { ...search, index: find(walk, { ...search, start: from ?? walk.entries.length - 1, delta: -1 }) };
}

export function searchForward(walk: HistoryWalk, search: Query, from: number): HistorySearch {
  return { ...search, index: find(walk, { ...search, start: from, delta: 1 }) };
}

type Query = { readonly query: string; readonly isEverywhere: boolean };

function find(
  { entries, elsewhere }: HistoryWalk,
  { query, isEverywhere, start, delta }: Query & { start: number; delta: 1 | -1 },
): number | null {
  if (query === '') return null;
  const matchCase = query !== query.toLowerCase();
  for (let index = start; index >= 0 && index < entries.length; index += delta) {
    const text = entries[index] ?? '';
    if (!isEverywhere && elsewhere.has(text)) continue;
    if ((matchCase ? text : text.toLowerCase()).includes(query)) return index;
  }
  return null;
}
