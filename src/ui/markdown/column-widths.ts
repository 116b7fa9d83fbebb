const leastWidth = 3;
const longestKeptWord = 16;

/**
 * Shares `room` cells among columns: all get what they need if that fits, else each keeps its longest word (within
 * reason) and the rest goes where text is cut most. undefined = too narrow for a table.
 */
export function columnWidths(
  columns: readonly { natural: number; least: number }[],
  room: number,
): number[] | undefined {
  const natural = columns.map((column) => Math.max(1, column.natural));
  if (sum(natural) <= room) return natural;
  if (columns.length * leastWidth > room) return undefined;
  const least = columns.map((column, index) =>
    Math.min(natural[index] ?? 1, Math.max(leastWidth, Math.min(column.least, longestKeptWord))),
  );
  const start = sum(least) <= room ? least : natural.map((width) => Math.min(width, leastWidth));
  return grow(start, natural, room);
}

/** Widens one column after the other, always the one that lacks most, until the room is used up. */
function grow(start: readonly number[], natural: readonly number[], room: number): number[] {
  const widths = [...start];
  const wanted = natural.map((width, index) => width - (start[index] ?? 0));
  const total = sum(wanted);
  const free = room - sum(widths);
  for (const [index, want] of wanted.entries())
    widths[index] = (widths[index] ?? 0) + Math.floor((want * free) / Math.max(1, total));
  let rest = room - sum(widths);
  for (let index = 0; rest > 0 && index < widths.length; index += 1) {
    const lack = Math.min(rest, (natural[index] ?? 0) - (widths[index] ?? 0));
    widths[index] = (widths[index] ?? 0) + lack;
    rest -= lack;
  }
  return widths;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
