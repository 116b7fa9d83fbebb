/** The known name that `text` was most likely meant to be; undefined when none is near. */
export function nearestName(text: string, names: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const candidate = name.toLowerCase();
    const isPart = wanted.length > 2 && candidate.includes(wanted);
    const distance = isPart ? 1 : editDistance(wanted, candidate);
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= Math.max(2, Math.ceil(wanted.length / 3)) ? best.name : undefined;
}

function editDistance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= two.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === two[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[two.length] ?? 0;
}
