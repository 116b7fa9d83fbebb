import type { Clock } from '#lib/clock.ts';
import { usageError } from '../cli/usage-error.ts';

const maxBytes = 10_000_000;
/** How long a prompt on the command line waits for a pipe to say something. */
const firstByteMs = 3_000;

/**
 * The prompt from the argument, from standard input, or both. Input beside an argument is waited for only as long
 * as `firstByteMs`: many programs start others with a pipe that they never write to and never close.
 */
export async function readPrompt(
  argument: string | undefined,
  stdin: NodeJS.ReadStream,
  options: { clock: Clock; signal: AbortSignal; warn: (text: string) => void },
): Promise<string> {
  const isOnlySource = argument === undefined || argument.trim() === '';
  const piped = stdin.isTTY ? '' : await readAll(stdin, isOnlySource, options);
  if (isOnlySource) {
    if (piped.trim() === '')
      throw usageError(
        'there is no prompt: give it as an argument or on standard input, e.g. llmcode -p "fix the tests"',
      );
    return piped.trim();
  }
  return piped.trim() === '' ? argument : `${argument}\n\n<stdin>\n${piped.trimEnd()}\n</stdin>`;
}

async function readAll(
  stdin: NodeJS.ReadStream,
  isOnlySource: boolean,
  { clock, signal, warn }: { clock: Clock; signal: AbortSignal; warn: (text: string) => void },
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const ended = new Promise<'ended' | 'too-big'>((resolve) => {
    stdin.on('data', (chunk: Buffer | string) => {
      const data = Buffer.from(chunk);
      bytes += data.length;
      if (bytes > maxBytes) resolve('too-big');
      else chunks.push(data);
    });
    stdin.on('end', () => resolve('ended'));
    stdin.on('close', () => resolve('ended'));
    // A descriptor that cannot be read, e.g. a closed one, holds no input.
    stdin.on('error', () => resolve('ended'));
  });
  const stopped = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    if (signal.aborted) resolve('stopped');
  });
  const silence = new AbortController();
  const silent = isOnlySource
    ? new Promise<never>(() => undefined)
    : clock.wait(firstByteMs, { signal: silence.signal }).then(() => 'silent' as const);
  let outcome = await Promise.race([ended, stopped, silent]);
  if (outcome === 'silent' && bytes > 0) outcome = await Promise.race([ended, stopped]);
  silence.abort();
  stdin.pause();
  stdin.unref?.();
  if (outcome === 'too-big')
    throw usageError(
      `standard input is larger than ${maxBytes / 1_000_000} MB; save it to a file and name the file in the prompt`,
    );
  if (outcome === 'silent')
    warn(
      'standard input is open but nothing came in 3 seconds; going on without it (use < /dev/null to skip the wait)',
    );
  return Buffer.concat(chunks).toString('utf8');
}
