import path from 'node:path';
import { hashBytes } from '#lib/file-hash.ts';
import { globTest } from '#lib/glob-pattern.ts';
import { displayPath } from '#lib/paths.ts';
import { readRegularFile } from '#lib/regular-file.ts';
import { runProcess } from '#lib/spawn.ts';

const timeoutMs = 10_000;
const maxBytes = 50_000_000;
const maxSaidChars = 500;

export type Formatted = { note: string | undefined; sha256: string | undefined };

/**
 * Runs the commands whose pattern fits a file that the model wrote. They come from the person's own settings, or from
 * those of a trusted folder, and run like hooks do. Never rejects.
 */
export async function runFormatters(
  file: string,
  options: {
    formatters: Readonly<Record<string, string>>;
    cwd: string;
    env: Readonly<Record<string, string>>;
    signal: AbortSignal;
  },
): Promise<Formatted> {
  const { cwd, env, signal } = options;
  const relative = path.relative(cwd, file);
  const commands = Object.entries(options.formatters).filter(([pattern]) => globTest(pattern)(relative));
  if (commands.length === 0) return { note: undefined, sha256: undefined };
  const before = await hashOf(file);
  const failures: string[] = [];
  for (const [pattern, template] of commands) {
    const command = template.replaceAll('{path}', () => quoted(file));
    const end = await runProcess({ command, cwd, env, signal, timeoutMs });
    if (end.cause === 'exited' && end.exitCode === 0) continue;
    const said = (end.stderr || end.stdout || end.error || '').trim().slice(0, maxSaidChars);
    const why =
      end.cause === 'timeout' ? `took longer than ${timeoutMs / 1_000} s` : `failed (${end.exitCode})`;
    failures.push(`The formatter for ${pattern} ${why}${said === '' ? '.' : `: ${said}`}`);
  }
  const after = await hashOf(file);
  const isChanged = after !== undefined && after !== before;
  const shown = displayPath(file, cwd);
  const notes = [
    ...(isChanged
      ? [`A formatter changed ${shown} after this write: read it again before you rely on its text.`]
      : []),
    ...failures,
  ];
  return { note: notes.length === 0 ? undefined : notes.join('\n'), sha256: isChanged ? after : undefined };
}

async function hashOf(file: string): Promise<string | undefined> {
  const read = await readRegularFile(file, { maxBytes });
  return 'kind' in read ? undefined : hashBytes(read.bytes);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
