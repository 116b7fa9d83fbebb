import type { ObjectSpan } from './text-objects.ts';

type Pair = {
  readonly open: number;
  readonly inner: number;
  readonly innerEnd: number;
  readonly end: number;
};

/** The pair of tags around the cursor, or the `count`-th further out. */
export function tagAround(
  text: string,
  cursor: number,
  { isAround, count }: { isAround: boolean; count: number },
): ObjectSpan | undefined {
  const around = tagPairs(text)
    .filter(({ open, end }) => open <= cursor && cursor < end)
    .sort((a, b) => b.open - a.open);
  const pair = around[count - 1];
  if (!pair) return undefined;
  return isAround ? { from: pair.open, to: pair.end } : { from: pair.inner, to: pair.innerEnd };
}

function tagPairs(text: string): Pair[] {
  const pairs: Pair[] = [];
  const open: { name: string; start: number; end: number }[] = [];
  for (const match of text.matchAll(/<(\/?)([^\s<>/]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    const [whole, slash, name = '', selfClosed] = match;
    if (slash === '') {
      if (selfClosed === '') open.push({ name, start: match.index, end: match.index + whole.length });
      continue;
    }
    const index = open.findLastIndex((tag) => tag.name === name);
    const opened = open[index];
    if (!opened) continue;
    open.length = index;
    pairs.push({
      open: opened.start,
      inner: opened.end,
      innerEnd: match.index,
      end: match.index + whole.length,
    });
  }
  return pairs;
}
