/** The candidate that a mistyped word most likely meant; undefined when none is near. */
export function nearestOf(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase();
  // A third of the letters may differ, at least one.
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 0.9;
  let best: string | undefined;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    const isPrefix =
      (wanted.length >= 2 && known.startsWith(wanted)) || (known.length >= 4 && wanted.startsWith(known));
    // Of two that are equally far, the one of the same length is the likelier slip.
    const lengthGap = Math.abs(known.length - wanted.length) / 100;
    const distance = isPrefix ? 0.5 + lengthGap : editDistance(wanted, known) + lengthGap;
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
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
