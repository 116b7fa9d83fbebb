import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { errnoOf, LlmcodeError } from '#lib/errors.ts';
import { makeFolder } from '#lib/make-folder.ts';

const ownerSchema = z.object({ pid: z.number(), start: z.string(), host: z.string(), token: z.string() });
type Owner = z.infer<typeof ownerSchema>;

export type ThreadLock = { release(): void };

/**
 * Makes this process the one writer of a thread. A lock whose process is gone, or whose process number now
 * belongs to another process, is taken over. Throws `thread-locked` when another process has it, and the system's
 * own error when the folder cannot be written.
 */
export function lockThread(file: string, { threadId }: { threadId: string }): ThreadLock {
  const token = randomUUID();
  const own: Owner = { pid: process.pid, start: startOf(process.pid), host: hostname(), token };
  makeFolder(path.dirname(file));
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (create(file, own)) return { release: () => release(file, token) };
    const holder = readOwner(file);
    if (holder && isAlive(holder)) throw lockedError(file, { threadId, holder });
    takeAway(file, holder);
  }
  throw lockedError(file, { threadId, holder: readOwner(file) });
}

/** The process that writes to a thread now; undefined when none does. */
export function lockHolder(file: string): { pid: number; host: string } | undefined {
  const holder = readOwner(file);
  return holder && isAlive(holder) ? holder : undefined;
}

function create(file: string, own: Owner): boolean {
  // Written aside and linked into place, so that nobody ever reads half a lock.
  const draft = `${file}.${own.token}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // A file system without hard links.
    return createExclusively(file, own);
  } finally {
    rmSync(draft, { force: true });
  }
}

function createExclusively(file: string, own: Owner): boolean {
  try {
    writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes a stale lock; if another process was faster and the lock is new by now, puts it back. */
function takeAway(file: string, stale: Owner | undefined): void {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return;
    throw error;
  }
  const taken = readOwner(aside);
  if (taken && taken.token !== stale?.token) {
    try {
      linkSync(aside, file);
    } catch {
      // Somebody has a lock again; theirs stands.
    }
  }
  rmSync(aside, { force: true });
}

function release(file: string, token: string): void {
  if (readOwner(file)?.token === token) rmSync(file, { force: true });
}

function readOwner(file: string): Owner | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined; // Gone, or no lock of ours: stale either way.
  }
}

function isAlive(owner: Owner): boolean {
  // Another machine or container on a shared disk: there is no way to look, so its word stands.
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if (errnoOf(error) === 'ESRCH') return false;
  }
  return isSameStart(owner.start, startOf(owner.pid));
}

/** When a process started, in a form that only `isSameStart` reads. Empty when it cannot be known. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in parentheses and may hold anything; field 22 is the start in clock ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ticks of-a-zombie' : `ticks ${fields[19] ?? ''}`;
  } catch {
    if (pid === process.pid) return `ms ${Math.round(performance.timeOrigin)}`;
    return `ms ${startByPs(pid)}`;
  }
}

function startByPs(pid: number): number | '' {
  try {
    const text = execFileSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 1_000,
    });
    return Date.parse(text.trim()) || '';
  } catch {
    return '';
  }
}

function isSameStart(stored: string, now: string): boolean {
  if (stored === now) return true;
  const [storedUnit, storedValue] = stored.split(' ');
  const [unit, value] = now.split(' ');
  if (!storedValue || !value || storedUnit !== unit) return true; // Not known: better to believe that it lives.
  return unit === 'ms' && Math.abs(Number(storedValue) - Number(value)) < 3_000;
}

function lockedError(
  file: string,
  { threadId, holder }: { threadId: string; holder: Owner | undefined },
): LlmcodeError {
  const isHere = holder?.host === hostname();
  const where = holder ? `process ${holder.pid}${isHere ? '' : ` on ${holder.host}`}` : 'another process';
  const remote = isHere ? '' : ` If it runs no more, delete ${file}.`;
  // The command comes last and without a full stop: it is there to be copied.
  return new LlmcodeError(
    'thread-locked',
    `Thread ${threadId} is open in another llmcode (${where}).${remote} Close it there, or go on in a copy: ` +
      `llmcode --resume ${threadId} --fork`,
    { exitCode: 2 },
  );
}
