import { setImmediate } from 'node:timers/promises';
import type { Clock } from '#lib/clock.ts';
import { cleanName, isCleanText } from '#lib/terminal-text.ts';
import { type CompletionItem, completionRows } from './completion.ts';

/** Ranked paths for `@`. */
export interface FileSearch {
  /** The best paths for a query, or undefined while the list is still being read; `onChange` tells when to ask again. */
  find(query: string): readonly CompletionItem[] | undefined;
  /** Stops reading. */
  close(): void;
}

type PathEntry = { path: string; lower: string };
type Ranker = (query: string, entries: readonly PathEntry[]) => readonly PathEntry[];

/** A list older than this is read again at the next question; the old one answers meanwhile. */
const freshMs = 5_000;
/** More than these are not ranked: a query that fits so many is too short to rank by. */
const rankedAtMost = 4_000;
const stepPaths = 10_000;

/** Reads the list at the first question, never before: most prompts have no `@`. */
export function createFileSearch(options: {
  files: (signal: AbortSignal) => Promise<readonly string[]>;
  clock: Clock;
  onChange: () => void;
}): FileSearch {
  const { clock, onChange } = options;
  const abort = new AbortController();
  let entries: readonly PathEntry[] | undefined;
  let rank: Ranker | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let isReading = false;

  const read = async () => {
    isReading = true;
    try {
      const [paths, ranker] = await Promise.all([options.files(abort.signal), rank ?? loadRanker()]);
      entries = await entriesOf(paths);
      rank = ranker;
    } catch {
      entries ??= []; // A folder that cannot be listed completes to nothing.
    }
    isReading = false;
    readAt = clock.now();
    if (!abort.signal.aborted) onChange();
  };

  return {
    find(query) {
      if (!isReading && clock.now() - readAt > freshMs && !abort.signal.aborted) void read();
      if (!entries) return undefined;
      return rankPaths(entries, query, rank ?? ((_query, some) => some)).map(fileItem);
    },
    close: () => abort.abort(),
  };
}

/** In steps: keys must not wait for a large repository. */
async function entriesOf(paths: readonly string[]): Promise<PathEntry[]> {
  const entries: PathEntry[] = [];
  for (const path of paths) {
    if (entries.length % stepPaths === 0) await setImmediate();
    entries.push({ path, lower: path.toLowerCase() });
  }
  return entries;
}

async function loadRanker(): Promise<Ranker> {
  const { fuzzyRank } = await import('../frame/fuzzy-rank.ts');
  return (query, entries) => fuzzyRank(query, entries, { textOf: ({ path }) => path, limit: completionRows });
}

/** An empty query lists the top folder, a query that ends in `/` that folder; else paths that hold it come first. */
export function rankPaths(entries: readonly PathEntry[], query: string, rank: Ranker): readonly string[] {
  const wanted = query.toLowerCase();
  if (wanted === '' || wanted.endsWith('/')) {
    const children = entries.filter((entry) => isChild(entry.lower, wanted)).slice(0, completionRows);
    if (children.length > 0) return children.map((entry) => entry.path);
  }
  const holding = entries.filter((entry) => entry.lower.includes(wanted) && entry.lower !== wanted);
  const best = rank(query, byDepth(holding));
  if (best.length >= completionRows) return best.slice(0, completionRows).map((entry) => entry.path);
  const chosen = new Set(best);
  const fitting = entries.filter((entry) => !chosen.has(entry) && isSpreadOver(wanted, entry.lower));
  const more = rank(query, byDepth(fitting));
  return [...best, ...more].slice(0, completionRows).map((entry) => entry.path);
}

function fileItem(path: string): CompletionItem {
  const isFolder = path.endsWith('/');
  // The prompt takes no controls; a name that lost them would be another file's.
  const name = isCleanText(path) && !path.includes('\n') ? path : cleanName(path);
  const insert = /[\s"]/.test(name) ? `@"${name}${isFolder ? '' : '"'}` : `@${name}`;
  return {
    insert: isFolder ? insert : `${insert} `,
    label: path,
    detail: '',
    continues: isFolder,
    runs: false,
  };
}

/** Too many to rank: those nearest to the top folder stand for all. */
function byDepth(entries: readonly PathEntry[]): readonly PathEntry[] {
  if (entries.length <= rankedAtMost) return entries;
  const levels: PathEntry[][] = [];
  for (const entry of entries) {
    const depth = depthOf(entry.path);
    const level = levels[depth] ?? [];
    levels[depth] = level;
    if (level.length < rankedAtMost) level.push(entry);
  }
  return levels.flat().slice(0, rankedAtMost);
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth += 1;
  return depth;
}

function isChild(path: string, folder: string): boolean {
  if (!path.startsWith(folder) || path === folder) return false;
  const slash = path.indexOf('/', folder.length);
  return slash < 0 || slash === path.length - 1;
}

function isSpreadOver(wanted: string, path: string): boolean {
  let at = 0;
  for (const character of wanted) {
    at = path.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
