import { existsSync } from 'node:fs';
import path from 'node:path';
import { likeness } from '#memory/entries/words.ts';
import type { MemoryEntry } from '#protocol/memory.ts';

/** What may be wrong with an entry. `entries` are ids. */
export type MemoryFinding = { entries: readonly string[]; what: string };

const oldDays = 180;
const dayMs = 86_400_000;
const nearFrom = 0.5;

/**
 * What speaks against remembered facts: files that they name and that are not there, what has grown old, and entries
 * about the same thing, which may contradict each other. Looks at the disk, changes nothing.
 */
export function lintMemory(
  entries: readonly MemoryEntry[],
  { project, now }: { project: string; now: number },
): MemoryFinding[] {
  return [
    ...entries.flatMap((entry) =>
      missingFiles(entry.text, project).map((file) => ({
        entries: [entry.id],
        what: `names \`${file}\`, which is not there`,
      })),
    ),
    ...entries
      .filter(({ kind, createdAt }) => kind === 'project' && now - createdAt > oldDays * dayMs)
      .map(({ id, createdAt }) => ({
        entries: [id],
        what: `is ${Math.floor((now - createdAt) / dayMs)} days old; is it still so?`,
      })),
    ...[...pairs(entries)]
      .filter(([a, b]) => likeness(a.text, b.text) >= nearFrom)
      .map(([a, b]) => ({
        entries: [a.id, b.id],
        what: 'are about the same thing; keep the one that is true',
      })),
  ];
}

/** Relative paths with a folder and an ending: other words with a slash or a dot are too often no files. */
function missingFiles(text: string, project: string): string[] {
  const words = text.match(/(?<![\w./:@-])(?:[\w.-]+\/)+[\w-]+\.\w{1,6}(?![\w/])/g) ?? [];
  return [...new Set(words)].filter((file) => !file.includes('..') && !existsSync(path.join(project, file)));
}

function* pairs(entries: readonly MemoryEntry[]): Generator<[MemoryEntry, MemoryEntry]> {
  for (const [index, a] of entries.entries()) for (const b of entries.slice(index + 1)) yield [a, b];
}
