import fuzzysort from 'fuzzysort';

/** The items that match what was typed, best first; all of them, in their order, when nothing was. */
export function matching<Item>(
  filter: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly Item[] {
  const search = filter.trim();
  if (search === '') return items;
  return fuzzysort.go(search, items, { key: textOf, limit: 0, threshold: 0.2 }).map((match) => match.obj);
}
