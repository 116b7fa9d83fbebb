import type { LoosePlace } from './loose-match.ts';

type Lines = { lines: string[]; endsWithBreak: boolean };

/**
 * Places where whole lines differ from `oldText` in nothing but one common indent, or in tabs for blanks; the new
 * text gets the indent of the place. One line alone is never matched so: its indent may decide what it means.
 */
export function matchIndented(
  text: string,
  { oldText, newText }: { oldText: string; newText: string },
): LoosePlace[] {
  const wanted = linesOf(oldText);
  if (wanted.lines.filter((line) => line.trim() !== '').length < 2) return [];
  const source = text.split('\n');
  const contents = wanted.lines.map((line) => line.trim());
  const first = contents.findIndex((content) => content !== '');
  const places: LoosePlace[] = [];
  let offset = 0;
  for (const [index, line] of source.entries()) {
    const begin = index - first;
    if (line.trim() === contents[first] && begin >= 0) {
      const found = source.slice(begin, begin + contents.length);
      const isSame =
        found.length === contents.length && contents.every((content, at) => found[at]?.trim() === content);
      const fitted = isSame ? reindent({ found, wanted: wanted.lines, newText }) : undefined;
      if (fitted !== undefined) {
        const start = offset - lengthOf(source.slice(begin, index));
        const whole = start + lengthOf(found) - 1;
        const end = wanted.endsWithBreak ? Math.min(whole + 1, text.length) : Math.min(whole, text.length);
        places.push({ start, end, newText: fitted });
      }
    }
    offset += line.length + 1;
  }
  return places;
}

function linesOf(text: string): Lines {
  const endsWithBreak = text.endsWith('\n');
  return { lines: (endsWithBreak ? text.slice(0, -1) : text).split('\n'), endsWithBreak };
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The new text with the indent of the found lines; undefined when they differ in more than a common indent. */
function reindent({
  found,
  wanted,
  newText,
}: {
  found: readonly string[];
  wanted: readonly string[];
  newText: string;
}): string | undefined {
  for (const convert of conversions(wanted)) {
    const shift = shiftBetween(wanted.map(convert), found);
    if (!shift) continue;
    const lines = newText.split('\n').map((line) => shifted(convert(line), shift));
    if (lines.every((line) => line !== undefined)) return lines.join('\n');
  }
  return undefined;
}

type Shift = { add: string } | { remove: string };

function shiftBetween(wanted: readonly string[], found: readonly string[]): Shift | undefined {
  let shift: Shift | undefined;
  for (const [at, line] of wanted.entries()) {
    if (line.trim() === '') continue;
    const from = indentOf(line);
    const to = indentOf(found[at] ?? '');
    shift ??= to.endsWith(from)
      ? { add: to.slice(0, to.length - from.length) }
      : from.endsWith(to)
        ? { remove: from.slice(0, from.length - to.length) }
        : undefined;
    if (!shift) return undefined;
    const isAlike = 'add' in shift ? to === shift.add + from : from === shift.remove + to;
    if (!isAlike) return undefined;
  }
  return shift;
}

function shifted(line: string, shift: Shift): string | undefined {
  if (line.trim() === '') return line;
  if ('add' in shift) return shift.add + line;
  return line.startsWith(shift.remove) ? line.slice(shift.remove.length) : undefined;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** As it is, then with tabs for its blanks, then with blanks for its tabs. */
function conversions(wanted: readonly string[]): ((line: string) => string)[] {
  const same = (line: string) => line;
  const indents = wanted.map(indentOf).filter((indent) => indent !== '');
  if (indents.length === 0) return [same];
  const withIndent = (change: (indent: string) => string) => (line: string) => {
    const indent = indentOf(line);
    return change(indent) + line.slice(indent.length);
  };
  if (indents.every((indent) => /^\t+$/.test(indent)))
    return [
      same,
      ...[4, 2, 8].map((width) => withIndent((tabs) => tabs.replaceAll('\t', ' '.repeat(width)))),
    ];
  if (!indents.every((indent) => /^ +$/.test(indent))) return [same];
  const width = indents.map(({ length }) => length).reduce(commonWidth);
  return [same, ...(width > 1 ? [withIndent((blanks) => blanks.replaceAll(' '.repeat(width), '\t'))] : [])];
}

function commonWidth(one: number, two: number): number {
  return two === 0 ? one : commonWidth(two, one % two);
}
