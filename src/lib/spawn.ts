import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { systemClock } from './clock.ts';
import { type Confinement, openFilter, watchedShell } from './confinement.ts';
import { errnoOf, errorText } from './errors.ts';
import { type OutputPipe, openOutputPipe, readPipe } from './output-pipe.ts';
import {
  createRunMark,
  endGroup,
  endMarked,
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
  /**
   * In place of `onOutput`, and with nothing captured: the output as it comes, not decoded. The bytes are good only
   * until it returns. Must not throw.
   */
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
  const started = await startChild(options, mark);
  if (typeof started === 'string') return { ...notStarted, error: started };
  const { child, pipe } = started;

  const exit = waitForExit(child);
  const report = readReport(child, options);
  const lastWords = readLastWords(child, options);
  const output = pipe === undefined ? child.stdout : capture.open(pipe);
  const streams = [capture.read(output, 'stdout'), capture.read(child.stderr, 'stderr'), lastWords.isOver];
  const { pid } = child;
  if (pid === undefined) {
    const { error } = await exit;
    return { ...notStarted, error: startError(error, options) };
  }

  guardGroup(pid);
  const letGo = () => {
    releaseGroup(pid);
    output?.destroy();
    for (const stream of child.stdio) stream?.destroy();
  };
  const release = () => {
    letGo();
    child.unref();
  };
  options.onStart?.({ pid, mark, release });
  const ending = { graceMs: options.graceMs ?? defaultGraceMs, mark };
  try {
    const stop = waitForStop(options);
    const cause = await Promise.race([exit.then(() => 'exited' as const), stop.reason]);
    stop.cancel();
    // Who waits to take the output over need not wait any more.
    child.stdio[tether as 4]?.destroy();
    if (cause !== 'exited') await endGroup(pid, { ...ending, spareLeader: report !== undefined });
    const end = await (cause === 'exited' ? exit : orGiveUp(exit));
    await capture.drain(streams);
    const isAlive = cause === 'exited' && (await isGroupAlive(pid));
    if (isAlive) await endGroup(pid, { graceMs: ending.graceMs });
    // What went into a session of its own is no member of the group.
    const hadEscaped = cause === 'exited' && isShellOf(options) && endMarked(mark);
    if (cause === 'exited' && report && !report.hasStarted())
      return { ...notStarted, ...capture.result(), error: 'The sandbox could not be set up for it.' };
    const hadLeftovers = isAlive || hadEscaped || (cause === 'exited' && report?.hadLeftovers() === true);
    return {
      cause,
      exitCode: end.code,
      signal: end.signal,
      ...capture.result(),
      ...lastWords.said(),
      hadLeftovers,
    };
  } finally {
    letGo();
  }
}

/** A command of somebody, as against a program of ours: nothing of it may go on by itself. */
function isShellOf(options: ProcessOptions): boolean {
  return 'command' in options && options.mergeOutput === true;
}

/** Absolute where it can be: a folder of the repository on PATH must not choose our shell. */
function bashProgram(): string {
  return (
    ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/run/current-system/sw/bin/bash'].find((file) =>
      existsSync(file),
    ) ?? 'bash'
  );
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

/** The descriptor that closes when we are gone, and the one from which the output is then read. */
const tether = 7;
const spareReader = 6;

/**
 * Beside the command waits a shell that keeps its output readable: when we are gone and the file is there, the rest
 * goes into it. It outlives a SIGTERM to the group. `cat` is looked for in the folders of the system first: one that
 * the repository has on PATH would run with every command.
 */
const keepScript = `(trap '' TERM INT HUP; read -r <&${tether}; [ -e "$0" ] || exit
PATH=/usr/bin:/bin:/run/current-system/sw/bin:$PATH; exec cat <&${spareReader} >>"$0") </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- &
exec "$@" ${spareReader}<&- ${tether}<&-`;

/** Where no pipe can be made. */
const mergeScript = 'exec "$@" 2>&1';

type Started = { child: ChildProcess; pipe: number | undefined };

/** The child, or the text of why it could not be started. */
async function startChild(options: ProcessOptions, mark: string): Promise<Started | string> {
  const pipe = isShellOf(options) ? await openOutputPipe() : undefined;
  const [file, args] = programOf(options, pipe);
  const { confinement } = options;
  const env = { ...options.env, ...confinement?.env, [runMarkName]: mark };
  const opened = pipe === undefined ? [] : [pipe.writer, pipe.spare];
  try {
    const filter = openFilter(confinement);
    if (filter !== undefined) opened.push(filter);
    const owns = confinement?.ownsProcesses === true;
    const isKept = pipe !== undefined && options.keepFile !== undefined;
    const child = spawn(file, args, {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: [
        options.input === undefined ? 'ignore' : 'pipe',
        pipe?.writer ?? 'pipe',
        pipe?.writer ?? 'pipe',
        owns ? 'pipe' : 'ignore',
        (owns ? filter : undefined) ?? 'ignore',
        options.hasLastWords ? 'pipe' : 'ignore',
        ...(isKept ? ([pipe.spare, 'pipe'] as const) : []),
      ],
    });
    for (const stream of child.stdio) stream?.on('error', () => stream.destroy()); // It need not read what it is given.
    child.stdin?.end(options.input);
    return { child, pipe: pipe?.reader };
  } catch (error) {
    if (pipe) closeSync(pipe.reader);
    return startError(error, options);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** `--norc`: when standard input is a socket, bash takes itself for a remote shell and reads ~/.bashrc. */
function programOf(options: ProcessOptions, pipe: OutputPipe | undefined): [string, string[]] {
  const bash = bashProgram();
  const { confinement } = options;
  const target =
    'command' in options ? watchedShell(bash, options.command, confinement) : [options.file, ...options.args];
  const words = [...(confinement?.argv ?? []), ...target];
  if ('command' in options && options.mergeOutput) {
    if (pipe === undefined) return [bash, ['--norc', '-c', mergeScript, '', ...words]];
    if (options.keepFile !== undefined)
      return [bash, ['--norc', '-c', keepScript, options.keepFile, ...words]];
  }
  const [file = bash, ...args] = words;
  return [file, args];
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

  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') };
  const onChunk = (chunk: Buffer, stream: OutputStream) => {
    chunks += 1;
    if (options.onBytes) options.onBytes(chunk);
    else take(decoders[stream].write(chunk), stream);
  };

  return {
    /** The pipe as a stream; what comes is taken, and has not to be read from it. */
    open: (pipe: number) => readPipe(pipe, (chunk) => onChunk(chunk, 'stdout')),

    /** Resolves when the stream has ended; never rejects. */
    read(source: Readable | null, stream: OutputStream): Promise<void> {
      return new Promise((resolve) => {
        source?.on('data', (chunk: Buffer) => onChunk(chunk, stream));
        source?.on('error', () => resolve());
        source?.once('close', () => {
          take(decoders[stream].end(), stream);
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
