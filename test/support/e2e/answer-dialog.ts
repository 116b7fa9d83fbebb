import type { TerminalSession } from '../pty/terminal-session.ts';

/** Waits for the dialog, and until it takes keys (its keys are bold then, 300 ms after it came up). */
export async function armedDialog(terminal: TerminalSession, dialog: string | RegExp): Promise<void> {
  await terminal.waitFor(dialog);
  await terminal.waitFor(() => {
    const row = terminal.lines().findIndex((line) => /\by once\b/.test(line));
    const column = terminal.lines()[row]?.search(/\by once\b/) ?? -1;
    return row >= 0 && terminal.cell(column, row).bold;
  });
}

/** Waits until the words of a key row are bold: the dialog takes keys then. */
export async function armedKeyRow(terminal: TerminalSession, words: string): Promise<void> {
  await terminal.waitFor(() => {
    const row = terminal.lines().findIndex((line) => line.includes(words));
    const column = terminal.lines()[row]?.indexOf(words) ?? -1;
    return row >= 0 && terminal.cell(column, row).bold;
  });
}

/** Answers a permission dialog with one key as soon as it takes keys. */
export async function answerDialog(
  terminal: TerminalSession,
  key: string,
  dialog: string | RegExp,
): Promise<void> {
  await armedDialog(terminal, dialog);
  terminal.type(key);
}
