import { existsSync } from 'node:fs';
import { systemClock } from '#lib/clock.ts';
import { type Confinement, terminalShell } from '#lib/confinement.ts';
import { errorText } from '#lib/errors.ts';
import {
  createRunMark,
  endGroup,
  guardGroup,
  isGroupAlive,
  releaseGroup,
  runMarkName,
} from '#lib/process-group.ts';
import { notStarted, type ProcessEnd, type StartedProcess } from '#lib/spawn.ts';

type TerminalOptions = {
  command: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  confinement?: Confinement | undefined;
  signal: AbortSignal;
  onStart(process: StartedProcess): void;
  onOutput(text: string): void;
};

const size = { cols: 120, rows: 40 };
const graceMs = 200;
const killedExitMs = 1_000;

/** Runs a command in a terminal of its own, as `runProcess` does without one. Never rejects. */
export async function runInTerminal(options: TerminalOptions): Promise<ProcessEnd> {
  const { command, cwd, signal, confinement } = options;
  if (signal.aborted) return { ...notStarted, cause: 'aborted' };
  const mark = createRunMark();
  const bash = existsSync('/bin/bash') ? '/bin/bash' : 'bash';
  const env = { ...options.env, ...confinement?.env, TERM: 'xterm-256color', [runMarkName]: mark };
  const exit = Promise.withResolvers<TerminalExit>();
  let pid: number;
  try {
    // Brings a binary of its own, so it is loaded only when it is asked for.
    const { spawn } = await import('node-pty');
    const [file = bash, ...args] = terminalShell(bash, command, confinement);
    const terminal = spawn(file, args, { ...size, name: 'xterm-256color', cwd, env });
    terminal.onData(options.onOutput);
    terminal.onExit((end) => exit.resolve(end));
    pid = terminal.pid;
  } catch (error) {
    return { ...notStarted, error: `There is no terminal here (${errorText(error)}). Run it without pty.` };
  }
  guardGroup(pid);
  options.onStart({ pid, mark, release: () => releaseGroup(pid) });
  try {
    const stopped = Promise.withResolvers<'aborted'>();
    const onAbort = () => stopped.resolve('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const cause = await Promise.race([exit.promise.then(() => 'exited' as const), stopped.promise]);
    signal.removeEventListener('abort', onAbort);
    if (cause === 'aborted') await endGroup(pid, { graceMs, mark });
    const end = await (cause === 'exited' ? exit.promise : orGiveUp(exit.promise));
    const hadLeftovers = cause === 'exited' && (await isGroupAlive(pid));
    if (hadLeftovers) await endGroup(pid, { graceMs, mark });
    return { ...notStarted, cause, ...endOf(end), hadLeftovers };
  } finally {
    releaseGroup(pid);
  }
}

type TerminalExit = { exitCode: number; signal?: number | undefined };

/** A killed process that hangs in the kernel must not hold up the call. */
async function orGiveUp(exit: Promise<TerminalExit>): Promise<TerminalExit> {
  const given = new AbortController();
  const late = systemClock.wait(killedExitMs, { signal: given.signal });
  const end = await Promise.race([exit, late.then(() => ({ exitCode: 0, signal: 9 }))]);
  given.abort();
  return end;
}

function endOf({ exitCode, signal }: TerminalExit) {
  if (!signal) return { exitCode, signal: null };
  return { exitCode: null, signal: signalNames[signal] ?? `signal ${signal}` };
}

const signalNames: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};
