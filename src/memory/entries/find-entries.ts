import type { MemoryEntry } from '#protocol/memory.ts';
import { wordsOf } from './words.ts';

/**
 * Entries that fit the words, best first: rare words count more than frequent ones (inverse document frequency),
 * a tag counts as much as two words. Without words: those that carry every tag, newest first.
 */
export function findEntries(
  entries: readonly MemoryEntry[],
  { text, tags, limit }: { text: string; tags: readonly string[]; limit: number },
): MemoryEntry[] {
  const wanted = tags.map((tag) => tag.toLowerCase());
  const tagged = entries.filter((entry) => wanted.every((tag) => entry.tags.includes(tag)));
  const words = [...new Set(wordsOf(text))];
  if (words.length === 0) return tagged.slice(0, limit);
  const documents = tagged.map((entry) => ({
    entry,
    words: new Set(wordsOf(entry.text)),
    tags: new Set(entry.tags.flatMap(wordsOf)),
  }));
  const weights = new Map(
    words.map((word) => {
      const having = documents.filter((document) => document.words.has(word) || document.tags.has(word));
      return [word, Math.log(1 + documents.length / (1 + having.length))];
    }),
  );
  return documents
    .map(({ entry, words: own, tags: ownTags }) => {
      const score = words.reduce((sum, word) => {
        const weight = weights.get(word) ?? 0;
        return sum + (own.has(word) ? weight : 0) + (ownTags.has(word) ? 2 * weight : 0);
      }, 0);
      return { entry, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.entry.createdAt - a.entry.createdAt)
    .slice(0, limit)
    .map(({ entry }) => entry);
}
