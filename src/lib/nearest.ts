/**
 * The candidate that a mistyped name most likely meant; undefined when none is near. `Read-File`, `readFile` and
 * `read_file` are one name.
 */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  if (wanted === '') return undefined;
  // A third of the letters may differ, at least one.
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 0.9;
  let best: string | undefined;
  for (const candidate of candidates) {
    const known = plain(candidate);
    // Of two that are equally far, the one of the same length is the likelier slip.
    const lengthGap = Math.min(0.4, Math.abs(known.length - wanted.length) / 100);
    const distance = lengthGap + (partDistance(wanted, known) ?? editDistance(wanted, known));
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
}

/**
 * Names that share a telling word with the wanted one, e.g. both searches for `search_files`; else the nearest in
 * letters. `vague` words tell nothing.
 */
export function relatedNames(name: string, names: readonly string[], vague: readonly string[]): string[] {
  const wordsOf = (text: string) => wordsIn(text).filter((word) => word.length > 2 && !vague.includes(word));
  const wanted = wordsOf(name);
  const related = names.filter((known) => wordsOf(known).some((word) => wanted.includes(word)));
  if (related.length > 0) return related.slice(0, 3);
  const nearest = nearestName(name, names);
  return nearest === undefined ? [] : [nearest];
}

function wordsIn(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]/gu, '');
}

/** A name cut short, or with more around it, is near however many letters are missing; very short ones say nothing. */
function partDistance(wanted: string, known: string): number | undefined {
  if (wanted === known) return 0;
  if (wanted.length >= 2 && known.startsWith(wanted)) return 0.5;
  if (known.length >= 4 && wanted.startsWith(known)) return 0.5;
  if (wanted.length >= 3 && known.includes(wanted)) return 1;
  return known.length >= 4 && wanted.includes(known) ? 1 : undefined;
}

/** Insertions, deletions, changes and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const change = (last[column - 1] ?? 0) + (isSame ? 0 : 1);
      let cost = Math.min(change, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
