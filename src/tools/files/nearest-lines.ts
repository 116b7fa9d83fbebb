const maxShown = 3;
const maxLineChars = 200;

type NearLine = { number: number; text: string };

/**
 * Lines of a file that a text which was not found may have meant: equal to one of its lines but for white space,
 * or holding one. Looks for the longest line, as the most telling one.
 */
export function nearestLines(text: string, wanted: string): NearLine[] {
  const longest = wanted
    .slice(0, 20_000)
    .split('\n')
    .map(plain)
    .reduce((best, line) => (line.length > best.length ? line : best), '');
  if (longest.length < 3) return [];
  const equal: NearLine[] = [];
  const holding: NearLine[] = [];
  let number = 0;
  for (const line of text.split('\n')) {
    number += 1;
    if (line.length > longest.length * 4 + 400) continue;
    const candidate = plain(line);
    if (candidate === longest) equal.push({ number, text: shown(line) });
    else if (holding.length < maxShown && isRelated(candidate, longest))
      holding.push({ number, text: shown(line) });
    if (equal.length === maxShown) break;
  }
  return equal.length > 0 ? equal : holding;
}

function plain(line: string): string {
  return line
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .trim();
}

/** One holds the other, or they begin alike for most of their length. */
function isRelated(candidate: string, wanted: string): boolean {
  if (candidate.length < 4) return false;
  if (candidate.includes(wanted) || (candidate.length * 2 > wanted.length && wanted.includes(candidate)))
    return true;
  let same = 0;
  while (same < wanted.length && candidate[same] === wanted[same]) same += 1;
  return same * 10 >= wanted.length * 6;
}

function shown(line: string): string {
  const clean = line.replace(/\r$/, '');
  return clean.length > maxLineChars ? `${clean.slice(0, maxLineChars)}…` : clean;
}
