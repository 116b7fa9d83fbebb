import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { systemClock } from './clock.ts';
import { errnoOf, errorText } from './errors.ts';
import {
  createRunMark,
  endGroup,
  guardGroup,
  isGroupAlive,
  releaseGroup,
  runMarkName,
} from './process-group.ts';

/** A shell command text, run by bash without start files, or a program with its arguments. */
type ProcessTarget = { command: string } | { file: string; args: readonly string[] };

type OutputStream = 'stdout' | 'stderr';

type ProcessOptions = ProcessTarget & {
  cwd: string;
  /** The whole environment of the child; see `childEnvironment`. */
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  /** Time between SIGTERM and SIGKILL. */
  graceMs?: number;
  /** Written to standard input, which is then closed. Without it the child reads from /dev/null. */
  input?: string;
  /** Of a `command`: standard error goes into the same real pipe as standard output, in the order written. */
  mergeOutput?: boolean;
  /** How many characters of each stream the result keeps from its beginning. */
  captureChars?: number;
  /** Gets all output as it comes, decoded; characters are never split between two calls. Must not throw. */
  onOutput?: (text: string, stream: OutputStream) => void;
};

export type ProcessEnd = {
  /** `not-started`: there is no such program or folder; `error` says what to do. */
  cause: 'exited' | 'timeout' | 'aborted' | 'not-started';
  /** Null when a signal ended it, or when it never ran. */
  exitCode: number | null;
  signal: string | null;
  /** The beginning of each stream, at most `captureChars`. */
  stdout: string;
  stderr: string;
  isTruncated: boolean;
  /** Processes of its group outlived it and were ended. */
  hadLeftovers: boolean;
  error?: string;
};

const defaultGraceMs = 200;
const defaultCaptureChars = 1_000_000;
/** A pipe that another process keeps open is given up when nothing has come for this long after the exit. */
const drainIdleMs = 120;
const drainMaxMs = 2_000;
const killedExitMs = 1_000;

/**
 * Runs one process in a session and group of its own and waits for its exit, not for its pipes to close: a
 * background process that keeps them open is ended with the rest of the group. A timeout or an abort ends the
 * whole group. Never rejects: a failed command and a missing program are values.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const capture = createCapture(options);
  if (options.signal?.aborted) return { ...nothing, cause: 'aborted' };
  const mark = createRunMark();
  const child = startChild(options, mark);
  if (typeof child === 'string') return { ...nothing, error: child };

  const exit = waitForExit(child);
  const streams = [capture.read(child.stdout, 'stdout'), capture.read(child.stderr, 'stderr')];
  const { pid } = child;
  if (pid === undefined) {
    const { error } = await exit;
    return { ...nothing, error: startError(error, options) };
  }

  guardGroup(pid);
  try {
    const stop = waitForStop(options);
    const cause = await Promise.race([exit.then(() => 'exited' as const), stop.reason]);
    stop.cancel();
    if (cause !== 'exited') await endGroup(pid, { graceMs: options.graceMs ?? defaultGraceMs, mark });
    const end = await (cause === 'exited' ? exit : orGiveUp(exit));
    await capture.drain(streams);
    const hadLeftovers = cause === 'exited' && (await isGroupAlive(pid));
    if (hadLeftovers) await endGroup(pid, { graceMs: options.graceMs ?? defaultGraceMs });
    return { cause, exitCode: end.code, signal: end.signal, ...capture.result(), hadLeftovers };
  } finally {
    releaseGroup(pid);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

/** Absolute where it can be: a folder of the repository on PATH must not choose our shell. */
function bashProgram(): string {
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((file) => existsSync(file)) ?? 'bash';
}

const nothing: ProcessEnd = {
  cause: 'not-started',
  exitCode: null,
  signal: null,
  stdout: '',
  stderr: '',
  isTruncated: false,
  hadLeftovers: false,
};

/**
 * Node's pipes are sockets, on which `/dev/stdout` and `/dev/stderr` cannot be opened. So with `mergeOutput` bash
 * makes a real pipe, `cat` carries it to us, and the shell is replaced by the one that runs the command. `cat`
 * outlives a SIGTERM to the group, so that last words still arrive.
 */
const mergeScript = `exec "$0" --norc -c "$1" > >(trap '' TERM INT HUP; exec cat) 2>&1 63>&-`;

/** The child, or the text of why it could not be started. */
function startChild(options: ProcessOptions, mark: string): ChildProcess | string {
  const [file, args] = programOf(options);
  try {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...options.env, [runMarkName]: mark },
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.on('error', () => child.stdin?.destroy()); // It need not read what it is given.
    child.stdin?.end(options.input);
    return child;
  } catch (error) {
    return startError(error, options);
  }
}

/** `--norc`: when standard input is a socket, bash takes itself for a remote shell and reads ~/.bashrc. */
function programOf(options: ProcessOptions): [string, string[]] {
  if (!('command' in options)) return [options.file, [...options.args]];
  const bash = bashProgram();
  if (options.mergeOutput) return [bash, ['--norc', '-c', mergeScript, bash, options.command]];
  return [bash, ['--norc', '-c', options.command]];
}

function startError(error: unknown, options: ProcessOptions): string {
  const program = 'command' in options ? 'bash' : options.file;
  if (!isFolder(options.cwd)) return `The working folder ${options.cwd} does not exist any more.`;
  switch (errnoOf(error)) {
    case 'ENOENT':
      return `There is no program ${program} here. Install it, or check its name and PATH.`;
    case 'EACCES':
      return `${program} may not be run: it is not executable.`;
    case 'E2BIG':
      return `The command is too long for the system. Write it to a script file and run that.`;
    case 'ERR_INVALID_ARG_VALUE':
      return 'The command holds a NUL character, which no program can be given.';
    default:
      return `${program} could not be started: ${errorText(error)}`;
  }
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

type ChildExit = { code: number | null; signal: string | null; error?: unknown };

function waitForExit(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // With a pid, 'error' only means that a signal could not be sent; the exit still comes.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, error });
    });
  });
}

/** A killed process that hangs in the kernel must not hold up the call. */
async function orGiveUp(exit: Promise<ChildExit>): Promise<ChildExit> {
  const { promise, resolve } = Promise.withResolvers<ChildExit>();
  const cancel = systemClock.after(killedExitMs, () => resolve({ code: null, signal: 'SIGKILL' }));
  const end = await Promise.race([exit, promise]);
  cancel();
  return end;
}

function waitForStop({ signal, timeoutMs }: ProcessOptions) {
  const { promise, resolve } = Promise.withResolvers<'timeout' | 'aborted'>();
  const onAbort = () => resolve('aborted');
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const cancelTimer =
    timeoutMs === undefined ? undefined : systemClock.after(timeoutMs, () => resolve('timeout'));
  const cancel = () => {
    signal?.removeEventListener('abort', onAbort);
    cancelTimer?.();
  };
  return { reason: promise, cancel };
}

function createCapture(options: ProcessOptions) {
  const limit = options.captureChars ?? defaultCaptureChars;
  const kept = { stdout: '', stderr: '' };
  let isTruncated = false;
  let chunks = 0;

  const take = (text: string, stream: OutputStream) => {
    if (text === '') return;
    options.onOutput?.(text, stream);
    const room = limit - kept[stream].length;
    if (text.length > room) isTruncated = true;
    if (room > 0) kept[stream] += text.slice(0, room);
  };

  return {
    /** Resolves when the stream has ended; never rejects. */
    read(source: Readable | null, stream: OutputStream): Promise<void> {
      const decoder = new StringDecoder('utf8');
      return new Promise((resolve) => {
        source?.on('data', (chunk: Buffer) => {
          chunks += 1;
          take(decoder.write(chunk), stream);
        });
        source?.on('error', () => resolve());
        source?.once('close', () => {
          take(decoder.end(), stream);
          resolve();
        });
        if (!source) resolve();
      });
    },

    async drain(streams: readonly Promise<void>[]): Promise<void> {
      let isOpen = true;
      const closed = Promise.all(streams).then(() => {
        isOpen = false;
      });
      const giveUpAt = performance.now() + drainMaxMs;
      while (isOpen && performance.now() < giveUpAt) {
        const before = chunks;
        const quiet = new AbortController();
        await Promise.race([closed, systemClock.wait(drainIdleMs, { signal: quiet.signal })]);
        quiet.abort();
        // After a blocked event loop the timer comes before the data that waits; let that in first.
        await new Promise((resolve) => setImmediate(resolve));
        if (chunks === before) return;
      }
    },

    result: () => ({ ...kept, isTruncated }),
  };
}
