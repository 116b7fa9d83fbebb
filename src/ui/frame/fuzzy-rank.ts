import fuzzysort from 'fuzzysort';

/** The items whose text has the letters of `search` in order and near enough together, best first. */
export function fuzzyRank<Item>(
  search: string,
  items: readonly Item[],
  { textOf, limit }: { textOf: (item: Item) => string; limit: number },
): readonly Item[] {
  return fuzzysort.go(search, items, { key: textOf, limit, threshold: 0.2 }).map((match) => match.obj);
}
