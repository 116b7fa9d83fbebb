import type { TerminalSession } from '../pty/terminal-session.ts';

/** Waits until code has its colours: they come when the highlighter has been loaded, after the text. */
export async function codeColoured(terminal: TerminalSession, keyword: string): Promise<void> {
  await terminal.waitFor(() =>
    terminal.picture().some((row) => row.includes(`}${keyword}{`) || row.includes(`}${keyword} {`)),
  );
}
