export type GrepRequest = {
  pattern: string;
  /** The folder that is searched. */
  folder: string;
  /** One file in it, when only that is searched. */
  file: string | undefined;
  /** Leads to what is searched, the folder or the file, as it was opened. */
  at: string;
  /** Tests paths relative to `folder`. */
  matches: (file: string) => boolean;
  /** A glob of names that every wanted file fits, to search fewer files. */
  nameGlob: string | undefined;
  context: number;
  ignoreCase: boolean;
  mode: 'content' | 'files_with_matches' | 'count';
};

type GrepLine = { number: number; text: string; isHit: boolean };
/** In the modes without content `lines` is empty; `hits` is the count, or 1. */
export type GrepFile = { file: string; hits: number; lines: GrepLine[] };
export type GrepOutcome =
  | { kind: 'found'; files: GrepFile[]; isStopped: boolean }
  | { kind: 'bad-pattern'; text: string };

/** No search goes on beyond so many hits: nobody reads them. */
export const maxHits = 5_000;
export const maxLineChars = 400;

/** Creates the list that both searches fill. `add` returns true when there is enough. */
export function createHits(matches: (file: string) => boolean) {
  const files = new Map<string, GrepFile>();
  let hits = 0;
  return {
    add(file: string, line: GrepLine | number): boolean {
      if (!matches(file)) return false;
      const known = files.get(file) ?? { file, hits: 0, lines: [] };
      files.set(file, known);
      const isHit = typeof line === 'number' || line.isHit;
      if (typeof line !== 'number') known.lines.push(line);
      known.hits += typeof line === 'number' ? line : Number(line.isHit);
      hits += Number(isHit);
      return hits >= maxHits;
    },
    found(): GrepOutcome {
      const sorted = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
      return { kind: 'found', files: sorted, isStopped: hits >= maxHits };
    },
  };
}

/** A pattern that names a line break means to match over one. */
export function spansLines(pattern: string): boolean {
  return /\\n|\n/.test(pattern);
}
