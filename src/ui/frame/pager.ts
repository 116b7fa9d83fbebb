import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '#lib/find-program.ts';
import type { Environment } from '#lib/paths.ts';
import { runAttached } from './run-attached.ts';

/**
 * Shows a text in the person's pager, which has the terminal meanwhile. Resolves with undefined, or with the file that
 * holds the text when no pager could show it.
 */
export async function pageText(
  text: string,
  {
    pagerCommand,
    env,
    roots,
  }: { pagerCommand: readonly string[]; env: Environment; roots: readonly string[] },
): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llmcode-'));
  const file = path.join(folder, 'conversation.md');
  await writeFile(file, text, { mode: 0o600 });
  for (const [program, ...args] of candidates(pagerCommand, env, roots)) {
    if (program === undefined || !(await shows(program, [...args, ...pagerArgs(program), file]))) continue;
    await rm(folder, { recursive: true, force: true });
    return undefined;
  }
  return file;
}

/** What the person set, then what is there nearly everywhere, but none that lies in the workspace. */
function candidates(
  pagerCommand: readonly string[],
  env: Environment,
  roots: readonly string[],
): (readonly string[])[] {
  const found = ['less', 'more'].map((name) => findProgram(name, env, roots)).filter(existsSync);
  return [...(pagerCommand.length > 0 ? [pagerCommand] : []), ...found.map((program) => [program])];
}

/** Where the newest is, and not gone at once because it fits on the screen. */
function pagerArgs(program: string): readonly string[] {
  return path.basename(program) === 'less' ? ['-R', '-+F', '-+X', '+G'] : [];
}

/** False when there is no such program. How it ended is its own affair. */
async function shows(program: string, args: readonly string[]): Promise<boolean> {
  try {
    await runAttached(program, args);
    return true;
  } catch {
    return false;
  }
}
