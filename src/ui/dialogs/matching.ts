import { fuzzyRank } from '../frame/fuzzy-rank.ts';

/** The items that match what was typed, best first; all of them, in their order, when nothing was. */
export function matching<Item>(
  filter: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly Item[] {
  const search = filter.trim();
  if (search === '') return items;
  return fuzzyRank(search, items, { textOf, limit: Number.POSITIVE_INFINITY });
}
