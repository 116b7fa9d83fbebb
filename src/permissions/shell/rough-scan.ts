import { literalWord, type ShellWord } from './words.ts';

/**
 * Commands as they might stand in a text that the grammar could not read, so that what must never run is still
 * found there. Cuts at every sign that may end a command and takes all quotes away.
 */
export function roughCommands(text: string): ShellWord[][] {
  return text
    .split(/[;&|\n(){}`]+/)
    .map((piece) =>
      piece
        .replaceAll(/["'\\]/g, '')
        .split(/\s+/)
        .filter((word) => word !== '' && !/^[A-Za-z_]\w*=/.test(word))
        .map(literalWord),
    )
    .filter((words) => words.length > 0);
}
