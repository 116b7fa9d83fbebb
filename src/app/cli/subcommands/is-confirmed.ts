import { createInterface } from 'node:readline/promises';
import { cleanName } from '#lib/terminal-text.ts';
import type { Host } from '../../host.ts';
import { usageError } from '../usage-error.ts';

/** Asks on the terminal; anything but a yes is a no. `otherwise` says what to do where nobody can be asked. */
export async function isConfirmed(
  host: Host,
  { question, otherwise }: { question: string; otherwise: string },
): Promise<boolean> {
  if (!host.stdin.isTTY) throw usageError(otherwise);
  const terminal = createInterface({ input: host.stdin, output: host.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(cleanName(question))).trim());
  } finally {
    terminal.close();
  }
}
