/** The candidate that a mistyped name most likely meant; undefined when none is near. */
export function nearestName(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = plain(word);
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.ceil(wanted.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const known = plain(candidate);
    const isPart = wanted.length >= 3 && (known.includes(wanted) || wanted.includes(known));
    const distance = isPart ? 1 : editDistance(wanted, known);
    if (distance >= bestDistance) continue;
    bestDistance = distance;
    best = candidate;
  }
  return best;
}

/** `Read-File`, `readFile` and `read_file` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
