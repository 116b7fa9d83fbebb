import { cleanText } from './terminal-text.ts';

/**
 * Terminal output as plain text for the model: no escape sequences, no other controls, and of a line that was
 * overwritten (a progress bar) what stood there last.
 */
export function cleanOutput(text: string): string {
  return cleanText(text.replaceAll('\r\n', '\n').split('\n').map(lastOverwrite).join('\n'));
}

function lastOverwrite(line: string): string {
  if (!line.includes('\r')) return line;
  return line.split('\r').findLast((part) => cleanText(part) !== '') ?? '';
}
