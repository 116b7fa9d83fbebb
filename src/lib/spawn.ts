import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { systemClock } from './clock.ts';
import { errnoOf, errorText } from './errors.ts';
import {
  createRunMark,
  endGroup,
  guardGroup,
  isCarrying,
  isGroupAlive,
  releaseGroup,
  runMarkName,
} from './process-group.ts';

/** A shell command text, run by bash without start files, or a program with its arguments. */
type ProcessTarget = { command: string } | { file: string; args: readonly string[] };

type OutputStream = 'stdout' | 'stderr';

/** What a process runs in so that it reaches only a part of the machine. */
export type Confinement = {
  /** The program that confines and its arguments; what is confined follows them. */
  argv: readonly string[];
  /** Set for it; undefined takes a variable away. */
  env: Readonly<Record<string, string | undefined>>;
  /**
   * It has processes of its own, which all end with it. Signals then go past the program that confines, and what is
   * left running is counted inside. A `command` only.
   */
  ownsProcesses: boolean;
  /** Given to it on descriptor 4. */
  filter?: Uint8Array | undefined;
};

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
  confinement?: Confinement | undefined;
  /** How many characters of each stream the result keeps from its beginning. */
  captureChars?: number;
  /** It may say something on descriptor 5, e.g. what it leaves behind; it ends with two NUL characters. */
  hasLastWords?: boolean;
  /** Of a `command` with `mergeOutput`: if this file is there once nobody takes the output any more, it goes there. */
  keepFile?: string | undefined;
  onStart?: (process: StartedProcess) => void;
  /** Gets all output as it comes, decoded; characters are never split between two calls. Must not throw. */
  onOutput?: (text: string, stream: OutputStream) => void;
  /** In place of `onOutput`, and with nothing captured: the output as it comes, not decoded. Must not throw. */
  onBytes?: ((chunk: Buffer) => void) | undefined;
};

/** `release` lets it go on by itself: nothing of it is waited for or ended any more. */
export type StartedProcess = { pid: number; mark: string; release(): void };

export type ProcessEnd = {
  /** `not-started`: there is no such program or folder, or it could not be confined; `error` says what to do. */
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
  /** What it said with `hasLastWords`. */
  lastWords?: string;
  error?: string;
};

const defaultGraceMs = 200;
const defaultCaptureChars = 1_000_000;
/** A pipe that another process keeps open is given up when nothing has come for this long after the exit. */
const drainIdleMs = 120;
const drainMaxMs = 2_000;
/** On a busy machine what carries the output may wait for its turn. */
const carryMaxMs = 20_000;
const killedExitMs = 1_000;

/**
 * Runs one process in a session and group of its own and waits for its exit, not for its pipes to close: a
 * background process that keeps them open is ended with the rest of the group. A timeout or an abort ends the
 * whole group. Never rejects: a failed command and a missing program are values.
 */
export async function runProcess(options: ProcessOptions): Promise<ProcessEnd> {
  const capture = createCapture(options);
  if (options.signal?.aborted) return { ...notStarted, cause: 'aborted' };
  const mark = createRunMark();
  const child = startChild(options, mark);
  if (typeof child === 'string') return { ...notStarted, error: child };

  const exit = waitForExit(child);
  const report = readReport(child, options);
  const lastWords = readLastWords(child, options);
  const streams = [
    capture.read(child.stdout, 'stdout'),
    capture.read(child.stderr, 'stderr'),
    lastWords.isOver,
  ];
  const { pid } = child;
  if (pid === undefined) {
    const { error } = await exit;
    return { ...notStarted, error: startError(error, options) };
  }

  guardGroup(pid);
  const release = () => {
    releaseGroup(pid);
    for (const stream of child.stdio) stream?.destroy();
    child.unref();
  };
  options.onStart?.({ pid, mark, release });
  const ending = { graceMs: options.graceMs ?? defaultGraceMs, mark };
  try {
    const stop = waitForStop(options);
    const cause = await Promise.race([exit.then(() => 'exited' as const), stop.reason]);
    stop.cancel();
    if (cause !== 'exited') await endGroup(pid, { ...ending, spareLeader: report !== undefined });
    const end = await (cause === 'exited' ? exit : orGiveUp(exit));
    await capture.drain(
      streams,
      () => 'command' in options && options.mergeOutput === true && isCarrying(pid),
    );
    const isAlive = cause === 'exited' && (await isGroupAlive(pid));
    if (isAlive) await endGroup(pid, { graceMs: ending.graceMs });
    if (cause === 'exited' && report && !report.hasStarted())
      return { ...notStarted, ...capture.result(), error: 'The sandbox could not be set up for it.' };
    const hadLeftovers = isAlive || (cause === 'exited' && report?.hadLeftovers() === true);
    return {
      cause,
      exitCode: end.code,
      signal: end.signal,
      ...capture.result(),
      ...lastWords.said(),
      hadLeftovers,
    };
  } finally {
    releaseGroup(pid);
    for (const stream of child.stdio) stream?.destroy();
  }
}

/** Absolute where it can be: a folder of the repository on PATH must not choose our shell. */
function bashProgram(): string {
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((file) => existsSync(file)) ?? 'bash';
}

/** How a process ended that never ran. */
export const notStarted: ProcessEnd = {
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
 * makes a real pipe, `cat` carries it to us, and the shell is replaced by what is to run. `cat` outlives a SIGTERM to
 * the group, so that last words still arrive. It is looked for in the folders of the system first: a `cat` that the
 * repository has on PATH would run with every command.
 */
const mergeScript = `exec "$@" > >(trap '' TERM INT HUP; PATH=/usr/bin:/bin:/run/current-system/sw/bin:$PATH; cat; [ -e "$0" ] && exec cat >>"$0") 2>&1 63>&-`;

/**
 * Where all processes end with the first one, this is the first: it says on descriptor 3 that it runs, waits for the
 * command and a moment for what is just ending, and says there whether something was left. What it has to say of its
 * own, e.g. that the command was killed, goes nowhere.
 */
const watchScript = `trap : TERM INT HUP
exec 4>&2 2>/dev/null
echo started >&3
"$0" --norc -c "$1" 2>&4 3>&- 4>&-
status=$?
for ((i = 0; i < 15; i++)); do
  set -- /proc/[0-9]*
  (($# <= 2)) && break
  read -rt 0.01 -u 3
done
(($# <= 2)) || echo left >&3
exit $status`;

/** The child, or the text of why it could not be started. */
function startChild(options: ProcessOptions, mark: string): ChildProcess | string {
  const [file, args] = programOf(options);
  const { confinement } = options;
  const env = { ...options.env, ...confinement?.env, [runMarkName]: mark };
  const own = confinement?.ownsProcesses ? (['pipe', confinement.filter ? 'pipe' : 'ignore'] as const) : [];
  const unused = own.length === 0 ? (['ignore', 'ignore'] as const) : [];
  const words = options.hasLastWords ? ([...unused, 'pipe'] as const) : [];
  try {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...own, ...words],
    });
    sendFilter(child, confinement?.filter);
    child.stdin?.on('error', () => child.stdin?.destroy()); // It need not read what it is given.
    child.stdin?.end(options.input);
    return child;
  } catch (error) {
    return startError(error, options);
  }
}

/** `--norc`: when standard input is a socket, bash takes itself for a remote shell and reads ~/.bashrc. */
function programOf(options: ProcessOptions): [string, string[]] {
  const bash = bashProgram();
  const { confinement } = options;
  const target =
    'command' in options ? shellWords(bash, options.command, confinement) : [options.file, ...options.args];
  const words = [...(confinement?.argv ?? []), ...target];
  if ('command' in options && options.mergeOutput)
    return [bash, ['--norc', '-c', mergeScript, options.keepFile ?? '', ...words]];
  const [file = bash, ...args] = words;
  return [file, args];
}

function shellWords(bash: string, command: string, confinement: Confinement | undefined): string[] {
  if (confinement?.ownsProcesses) return [bash, '--norc', '-c', watchScript, bash, command];
  return [bash, '--norc', '-c', command];
}

function sendFilter(child: ChildProcess, filter: Uint8Array | undefined): void {
  const pipe = child.stdio[4];
  if (!filter || !(pipe instanceof Writable)) return;
  pipe.on('error', () => pipe.destroy()); // It ended before it read it; its output says why.
  pipe.end(filter);
}

/** What the watching shell inside says; undefined where there is none. */
function readReport(child: ChildProcess, { confinement }: ProcessOptions) {
  const stream = child.stdio[3];
  if (!confinement?.ownsProcesses || !(stream instanceof Readable)) return undefined;
  let said = '';
  stream.on('error', () => stream.destroy());
  stream.on('data', (chunk: Buffer) => {
    said += chunk.toString('latin1');
  });
  return { hasStarted: () => said.includes('started'), hadLeftovers: () => said.includes('left') };
}

/** Bounded: whatever a command leaves behind, it is not much. */
const lastWordsChars = 1_000_000;

function readLastWords(child: ChildProcess, { hasLastWords }: ProcessOptions) {
  const [, , , , , stream]: readonly unknown[] = child.stdio;
  if (!hasLastWords || !(stream instanceof Readable)) return { isOver: Promise.resolve(), said: () => ({}) };
  const over = Promise.withResolvers<void>();
  const decoder = new StringDecoder('utf8');
  let said = '';
  stream.on('data', (chunk: Buffer) => {
    if (said.length < lastWordsChars) said += decoder.write(chunk);
    // What it left running may hold the pipe open.
    if (said.endsWith('\0\0')) over.resolve();
  });
  stream.on('error', () => stream.destroy());
  stream.once('close', () => over.resolve());
  return { isOver: over.promise, said: () => ({ lastWords: said }) };
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

/** Never throws: a link in a circle is no folder either. */
export function isFolder(folder: string): boolean {
  try {
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
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
          if (options.onBytes) options.onBytes(chunk);
          else take(decoder.write(chunk), stream);
        });
        source?.on('error', () => resolve());
        source?.once('close', () => {
          take(decoder.end(), stream);
          resolve();
        });
        if (!source) resolve();
      });
    },

    async drain(streams: readonly Promise<void>[], isCarried: () => boolean): Promise<void> {
      let isOpen = true;
      const closed = Promise.all(streams).then(() => {
        isOpen = false;
      });
      const began = performance.now();
      const passed = () => performance.now() - began;
      while (isOpen && (passed() < drainMaxMs || (passed() < carryMaxMs && isCarried()))) {
        const before = chunks;
        const quiet = new AbortController();
        await Promise.race([closed, systemClock.wait(drainIdleMs, { signal: quiet.signal })]);
        quiet.abort();
        // After a blocked event loop the timer comes before the data that waits; let that in first.
        await new Promise((resolve) => setImmediate(resolve));
        if (chunks === before && !isCarried()) return;
      }
    },

    result: () => ({ ...kept, isTruncated }),
  };
}
