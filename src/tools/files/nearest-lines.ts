const maxShown = 3;
const maxShownLines = 24;
const maxLineChars = 200;
/** Of a longer text the beginning has to do. */
const maxWantedLines = 60;
const maxWords = 24;
/** A word that stands in more places than this says little about where. */
const maxPlaces = 400;
const maxCandidates = 24;
/** Below this share a place is not like the wanted text at all. */
const minLikeness = 0.3;

type NearLine = { number: number; text: string };

/**
 * The lines of a file that a text which was not found may have meant: places as long as that text, the most alike
 * first, all their lines counted. A place is guessed from the words of the text that are rare in the file.
 */
export function nearestLines(text: string, wanted: string): NearLine[] {
  const wantedLines = trimmedLines(wanted).slice(0, maxWantedLines).map(plain);
  const starts = lineStarts(text);
  const lineAt = (index: number): string =>
    text.slice(starts[index] ?? text.length, (starts[index + 1] ?? text.length + 1) - 1);
  const places = candidates(text, { wantedLines, starts })
    .map((start) => ({ start, likeness: likenessAt(start, { wantedLines, lineAt }) }))
    .filter(({ likeness }) => likeness >= minLikeness)
    .sort((one, two) => two.likeness - one.likeness || one.start - two.start);
  const best = places[0]?.likeness ?? 0;
  const chosen: number[] = [];
  const most = Math.max(1, Math.min(maxShown, Math.floor(maxShownLines / Math.max(1, wantedLines.length))));
  for (const { start, likeness } of places) {
    const isApart = chosen.every((other) => Math.abs(other - start) >= wantedLines.length);
    if (isApart && likeness >= best * 0.6 && chosen.length < most) chosen.push(start);
  }
  const length = Math.min(wantedLines.length, maxShownLines);
  return chosen.flatMap((start) =>
    Array.from({ length }, (_, offset) => start + offset)
      .filter((index) => index >= 0 && index < starts.length)
      .map((index) => ({ number: index + 1, text: shown(lineAt(index)) })),
  );
}

function trimmedLines(text: string): string[] {
  return text.replace(/^(?:[ \t]*\r?\n)+|(?:\r?\n[ \t]*)+$/g, '').split('\n');
}

/** Where each line begins. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Numbers from 0 of the lines where a place may begin: each place of a word votes for the start that it would mean. */
function candidates(
  text: string,
  { wantedLines, starts }: { wantedLines: readonly string[]; starts: readonly number[] },
): number[] {
  const votes = new Map<number, number>();
  for (const { word, lines } of tellingWords(wantedLines)) {
    const found = placesOf(text, word, starts);
    for (const index of found ?? []) {
      for (const line of lines) {
        const start = index - line;
        votes.set(start, (votes.get(start) ?? 0) + word.length / Math.sqrt(found?.length ?? 1));
      }
    }
  }
  return [...votes]
    .sort(([start, count], [otherStart, otherCount]) => otherCount - count || start - otherStart)
    .slice(0, maxCandidates)
    .map(([start]) => start);
}

/** The longest words, with the lines they stand in; of each line the longest first, so that all lines have a say. */
function tellingWords(lines: readonly string[]): { word: string; lines: number[] }[] {
  const places = new Map<string, number[]>();
  const ranked = lines.flatMap((line, index) =>
    [...new Set(wordsOf(line))]
      .sort((one, two) => two.length - one.length)
      .map((word, rank) => ({ word, index, rank })),
  );
  for (const { word, index } of ranked) places.set(word, [...(places.get(word) ?? []), index]);
  const order = ranked.sort((one, two) => one.rank - two.rank || two.word.length - one.word.length);
  return [...new Set(order.map(({ word }) => word))]
    .slice(0, maxWords)
    .map((word) => ({ word, lines: places.get(word) ?? [] }));
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
}

/** Numbers from 0 of the lines with a word; undefined when there are too many. */
function placesOf(text: string, word: string, starts: readonly number[]): number[] | undefined {
  const found: number[] = [];
  for (let at = text.indexOf(word); at !== -1; ) {
    if (found.length === maxPlaces) return undefined;
    const index = lineWith(at, starts);
    found.push(index);
    const next = starts[index + 1];
    at = next === undefined ? -1 : text.indexOf(word, next);
  }
  return found;
}

function lineWith(at: number, starts: readonly number[]): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** 0 to 1, long lines counting more. */
function likenessAt(
  start: number,
  { wantedLines, lineAt }: { wantedLines: readonly string[]; lineAt: (index: number) => string },
): number {
  let sum = 0;
  let weight = 0;
  for (const [offset, wanted] of wantedLines.entries()) {
    weight += wanted.length;
    const index = start + offset;
    const line = index < 0 ? '' : lineAt(index);
    if (line.length <= wanted.length * 4 + 400) sum += wanted.length * likeness(plain(line), wanted);
  }
  return weight === 0 ? 0 : sum / weight;
}

function likeness(line: string, wanted: string): number {
  if (line === wanted) return 1;
  const longer = Math.max(line.length, wanted.length);
  const shorter = Math.min(line.length, wanted.length);
  let head = 0;
  while (head < shorter && line[head] === wanted[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && line.at(-1 - tail) === wanted.at(-1 - tail)) tail += 1;
  return Math.max((head + tail) / longer, sharedWords(wordsOf(line), wordsOf(wanted)));
}

/** How much of both lists is the same, in any order. */
function sharedWords(one: readonly string[], two: readonly string[]): number {
  if (one.length + two.length === 0) return 0;
  const left = [...two];
  let same = 0;
  for (const word of one) {
    const at = left.indexOf(word);
    if (at === -1) continue;
    left.splice(at, 1);
    same += 1;
  }
  return (2 * same) / (one.length + two.length);
}

function plain(line: string): string {
  return line
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .trim();
}

function shown(line: string): string {
  const clean = line.replace(/\r$/, '');
  return clean.length > maxLineChars ? `${clean.slice(0, maxLineChars)}…` : clean;
}
