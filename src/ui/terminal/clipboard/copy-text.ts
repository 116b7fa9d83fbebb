import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from '#lib/child-env.ts';
import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { findProgram } from '#lib/find-program.ts';
import { log } from '#lib/log.ts';
import type { Environment } from '#lib/paths.ts';
import { type ClipboardProgram, desktopPrograms, tmuxProgram } from './clipboard-program.ts';
import { clipboardSequence, sureBytes } from './osc52.ts';

/** Where a copied text went, as far as it can be known. */
export type CopyReport =
  /** A program says that it has it. */
  | { readonly kind: 'program'; readonly program: string; readonly reach: ClipboardProgram['reach'] }
  /** The terminal was asked; it does not answer. `isLong`: several terminals take less than this. */
  | { readonly kind: 'terminal'; readonly isLong: boolean }
  /** Nothing here has a clipboard, so it is in a file. */
  | { readonly kind: 'file'; readonly path: string };

type CopyPlace = {
  readonly env: Environment;
  /** Programs in these folders are not the person's. */
  readonly roots: readonly string[];
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly write: (text: string) => void;
};

/** A clipboard that does not answer, e.g. because its display is gone, must not hold up the others. */
const programMs = 3_000;

/**
 * Puts a text where the person can paste it: by a program of their desktop, through tmux, through the terminal
 * (OSC 52), and where there is none of these into a file. Rejects only when that file cannot be written.
 */
export async function copyText(text: string, place: CopyPlace): Promise<CopyReport> {
  const { env, platform, write } = place;
  const program = await firstThatTakes(text, desktopPrograms(env, platform), place);
  if (program) return { kind: 'program', program: program.name, reach: program.reach };
  const multiplexer = env['TMUX'] ? await firstThatTakes(text, [tmuxProgram], place) : undefined;
  const sequence = clipboardSequence(text, env);
  if (sequence !== undefined) write(sequence);
  if (multiplexer) return { kind: 'program', program: multiplexer.name, reach: multiplexer.reach };
  if (sequence !== undefined) return { kind: 'terminal', isLong: Buffer.byteLength(text) > sureBytes };
  const file = path.join(await mkdtemp(path.join(tmpdir(), 'llmcode-')), 'copied.md');
  await writeFile(file, text, { mode: 0o600 });
  return { kind: 'file', path: file };
}

async function firstThatTakes(
  text: string,
  programs: readonly ClipboardProgram[],
  place: CopyPlace,
): Promise<ClipboardProgram | undefined> {
  for (const program of programs) {
    const file = findProgram(program.name, place.env, place.roots);
    if (existsSync(file) && (await takes(text, { program, file, place }))) return program;
  }
  return undefined;
}

async function takes(
  text: string,
  { program, file, place }: { program: ClipboardProgram; file: string; place: CopyPlace },
): Promise<boolean> {
  try {
    const { spawn } = await import('node:child_process');
    // Some keep the text in a process of their own, which has to outlive this one; so its end is not waited for.
    const child = spawn(file, [...program.args], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: childEnvironment(place.env),
      cwd: tmpdir(),
      detached: place.platform !== 'win32',
      windowsHide: true,
    });
    const code = exitCode(child, place.clock);
    child.stdin?.end(Buffer.from(text, program.encoding));
    return (await code) === 0;
  } catch (error) {
    log(`${program.name} did not take the copied text: ${errorText(error)}`);
    return false;
  }
}

function exitCode(child: ChildProcess, clock: Clock): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(programMs, () => {
      child.kill();
      resolve(null);
    });
    const fail = (error: Error) => {
      cancel();
      reject(error);
    };
    child.once('error', fail);
    child.stdin?.once('error', fail);
    child.once('exit', (code) => {
      cancel();
      resolve(code);
    });
  });
}
