import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { systemClock } from './clock.ts';

/** An environment variable with a random value in every child, by which those that left its group are found. */
export const runMarkName = 'LLMCODE_RUN';

export function createRunMark(): string {
  return randomBytes(9).toString('hex');
}

const pollMs = 10;
/** How long a process may take to be gone once it has closed its output. */
const settleMs = 150;
/** SIGKILL takes effect at once except for a process that hangs in the kernel. */
const killWaitMs = 1_000;

// Groups that must not outlive this process. Its end is the one place that knows nothing but this list.
const guarded = new Set<number>();

export function guardGroup(pid: number): void {
  if (guarded.size === 0) process.on('exit', killGuarded);
  guarded.add(pid);
}

export function releaseGroup(pid: number): void {
  guarded.delete(pid);
  if (guarded.size === 0) process.off('exit', killGuarded);
}

function killGuarded(): void {
  for (const pid of guarded) signalGroup(pid, 'SIGKILL');
}

/** Waits a moment for a group that is just ending. */
export async function isGroupAlive(pid: number): Promise<boolean> {
  return !(await waitUntilGone(pid, settleMs));
}

/**
 * SIGTERM to the group, then SIGKILL to what is left of it. With `mark`, also to descendants that moved to
 * another session (Linux only). `spareLeader`: its end would kill all others at once, so SIGTERM goes to the others.
 */
export async function endGroup(
  pid: number,
  options: { graceMs: number; mark?: string; spareLeader?: boolean },
): Promise<void> {
  if (options.spareLeader && options.mark !== undefined) {
    for (const other of markedProcesses(options.mark)) if (other !== pid) signalProcess(other, 'SIGTERM');
  } else signalGroup(pid, 'SIGTERM');
  if (!(await waitUntilGone(pid, options.graceMs))) {
    signalGroup(pid, 'SIGKILL');
    await waitUntilGone(pid, killWaitMs);
  }
  if (options.mark === undefined) return;
  for (const escaped of markedProcesses(options.mark)) signalProcess(escaped, 'SIGKILL');
}

/** Ends every process that carries this mark, in whatever group; true when there was one. Linux only. */
export function endMarked(mark: string): boolean {
  const found = markedProcesses(mark);
  for (const pid of found) signalProcess(pid, 'SIGKILL');
  return found.length > 0;
}

/**
 * Names one process for good: a number alone may belong to another one later. undefined when it does not run, or
 * where this cannot be known.
 */
export function processStamp(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readProc(pid, 'stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    if (!state || state === 'Z' || state === 'X') return undefined;
    return `${bootId()} ${fields[19]}`;
  }
  const { stdout } = spawnSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

/** Start times count from the start of the system. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}

async function waitUntilGone(group: number, limitMs: number): Promise<boolean> {
  const until = performance.now() + limitMs;
  // Looking through all processes takes milliseconds that the screen needs: only when no known one is left.
  let known: number[] = [];
  while (signalGroup(group, 0)) {
    if (performance.now() >= until) return false;
    await systemClock.wait(pollMs);
    if (known.some((pid) => isMember(pid, group)) || !signalGroup(group, 0)) continue;
    const members = groupMembers(group);
    if (members?.length === 0) return true;
    known = members ?? [];
  }
  return true;
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  return signalProcess(-pid, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // Gone already, or it changed its user.
  }
}

/** Living processes of a group; zombies that nobody reaps do not count. undefined where there is no /proc. */
function groupMembers(group: number): number[] | undefined {
  return processIds()?.filter((pid) => isMember(pid, group));
}

function isMember(pid: number, group: number): boolean {
  const stat = readProc(pid, 'stat');
  // The name in brackets may hold anything; the fields after the last bracket are state, parent, group.
  const [state, , groupText] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(groupText) === group && state !== 'Z' && state !== 'X';
}

function markedProcesses(mark: string): number[] {
  const wanted = `${runMarkName}=${mark}`;
  return (processIds() ?? []).filter((pid) => readProc(pid, 'environ').split('\0').includes(wanted));
}

function processIds(): number[] | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readdirSync('/proc').filter(isNumber).map(Number);
  } catch {
    return undefined;
  }
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // Ended meanwhile, or another user's.
  }
}
