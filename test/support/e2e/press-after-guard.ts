import type { TerminalSession } from '../pty/terminal-session.ts';

/** A fresh dialog takes no key for 300 ms; the key is repeated until the dialog has taken it. */
export async function pressAfterGuard(
  terminal: TerminalSession,
  key: string,
  dialog: RegExp,
): Promise<void> {
  const before = terminal.raw.length;
  while (dialog.test(terminal.screen()) && terminal.raw.length - before < 100_000) {
    terminal.type(key);
    try {
      await terminal.waitFor((screen) => !dialog.test(screen), { timeoutMs: 400 });
      return;
    } catch {
      // Still guarded: typed again.
    }
  }
}
