/**
 * Stepping through earlier prompts, as they stood in the editor. `index` null = the draft, which is kept while
 * older ones are shown.
 */
export type HistoryWalk = {
  /** Oldest first. */
  readonly entries: readonly string[];
  readonly index: number | null;
  readonly draft: string;
};

/** A search from the newest entry back. `index` null = nothing holds `query`. */
export type HistorySearch = { readonly query: string; readonly index: number | null };

const keptEntries = 1_000;
export const emptyHistory: HistoryWalk = { entries: [], index: null, draft: '' };

/** The prompts of earlier sessions come before what was sent since. */
export function addLoaded(walk: HistoryWalk, texts: readonly string[]): HistoryWalk {
  const loaded = texts.slice(-keptEntries);
  const entries = [...loaded, ...walk.entries];
  return { ...walk, entries, index: walk.index === null ? null : walk.index + loaded.length };
}

/** After sending: the walk ends, and the same text twice in a row is one entry. */
export function addSent(walk: HistoryWalk, text: string): HistoryWalk {
  const isRepeat = walk.entries.at(-1) === text;
  const entries = isRepeat ? walk.entries : [...walk.entries, text].slice(-keptEntries);
  return { entries, index: null, draft: '' };
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
    const next = index + 1 < entries.length ? index + 1 : null;
    const text = next === null ? walk.draft : (entries[next] ?? '');
    return { walk: { ...walk, index: next }, text };
  }
  const next = (index ?? entries.length) - 1;
  const text = entries[next];
  if (text === undefined) return undefined;
  return { walk: { ...walk, index: next, draft: index === null ? current : walk.draft }, text };
}

/** The newest entry that holds `query` (capitals count only if it has some), at or before `from`. */
export function searchBack(walk: HistoryWalk, query: string, from?: number): HistorySearch {
  return { query, index: find(walk, { query, start: from ?? walk.entries.length - 1, delta: -1 }) };
}

export function searchForward(walk: HistoryWalk, query: string, from: number): HistorySearch {
  return { query, index: find(walk, { query, start: from, delta: 1 }) };
}

function find(
  { entries }: HistoryWalk,
  { query, start, delta }: { query: string; start: number; delta: 1 | -1 },
): number | null {
  if (query === '') return null;
  const matchCase = query !== query.toLowerCase();
  for (let index = start; index >= 0 && index < entries.length; index += delta) {
    const text = entries[index] ?? '';
    if ((matchCase ? text : text.toLowerCase()).includes(query)) return index;
  }
  return null;
}
