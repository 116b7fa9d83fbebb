import { cleanName } from '#lib/terminal-text.ts';
import { truncateEnd } from '#lib/text-width.ts';

const maxColumns = 60;

/** A name as a person or a model gave it, on one line of a list. '' when nothing is left of it. */
export function cleanThreadName(text: string): string {
  const line = cleanName(text.replaceAll(/\s+/g, ' ')).trim();
  return /[\p{L}\p{N}\p{S}]/u.test(line) ? truncateEnd(line, maxColumns).trim() : '';
}
