import { stripVTControlCharacters } from 'node:util';

/**
 * Terminal output as plain text for the model: no escape sequences, no other controls, and of a line that was
 * overwritten (a progress bar) what stood there last.
 */
export function cleanOutput(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map(lastOverwrite)
    .join('\n')
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '');
}

function lastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').findLast((part) => part !== '') ?? '';
}
