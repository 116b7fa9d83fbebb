import { formatCount } from '#lib/amounts.ts';
/** `1 line`, `84 lines`, `1,234 lines`. */
export function count(number: number, noun: string): string {
  return `${formatCount(number)} ${number === 1 ? noun : plural(noun)}`;
}

function plural(noun: string): string {
  return /(s|x|ch|sh)$/.test(noun)
    ? `${noun}es`
    : noun.endsWith('y')
      ? `${noun.slice(0, -1)}ies`
      : `${noun}s`;
}

/** `812 B`, `1.2 KB`, `48 MB`. */
export function size(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** All white space as single blanks; for titles. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** A file name on one line of a listing, whatever characters it holds. */
export function nameOnOneLine(name: string): string {
  return name.replaceAll(/[\0-\x1f\x7f]/g, (character) => JSON.stringify(character).slice(1, -1));
}
