import path from 'node:path';
import { lockHolder, lockThread, type ThreadLock } from '#engine/thread/lock.ts';
import { readLog } from '#engine/thread/log-reader.ts';
import { findLog, listConsults } from '#engine/thread/store.ts';
import { consultsFolder, pathsBeside } from '#engine/thread/thread-paths.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { shownName } from '#lib/quote.ts';
import type { ThreadHeader, ThreadSummary } from '#protocol/thread-entry.ts';
import { consultError } from './consult-error.ts';
import { answeredRounds, type Round, roundsOf } from './rounds.ts';

/** A thread with a peer as a list shows it. `damage`: why its log cannot be read whole. */
export type ConsultThread = {
  name: string;
  threadId: string;
  peer: string;
  cwd: string;
  rounds: number;
  createdAt: number;
  updatedAt: number;
  damage?: string;
};

export type ConsultLog = { header: ThreadHeader; name: string; rounds: Round[] };

/** Every thread with a peer, newest first. The logs are the registry. */
export async function consultThreads(home: string): Promise<ConsultThread[]> {
  const summaries = await listConsults(home);
  return Promise.all(
    summaries.map(async (summary) => {
      const { threadId, cwd, createdAt, updatedAt, peer = '' } = summary;
      const row = { name: nameOf(summary), threadId, peer, cwd, createdAt, updatedAt };
      try {
        return { ...row, rounds: answeredRounds((await readConsult(home, summary)).rounds) };
      } catch (error) {
        if (!LlmcodeError.isInstance(error)) throw error;
        return { ...row, rounds: 0, damage: error.message };
      }
    }),
  );
}

/** By its name, or by its whole id. Rejects with `thread_not_found`. */
export async function findConsult(home: string, text: string): Promise<ThreadSummary> {
  const threads = await listConsults(home);
  const found =
    threads.find((thread) => nameOf(thread).toLowerCase() === text.toLowerCase()) ??
    threads.find(({ threadId }) => threadId === text.toUpperCase());
  if (found) return found;
  const known = threads.slice(0, 5).map(nameOf);
  throw consultError(
    'thread_not_found',
    `There is no thread with a peer named "${shownName(text)}". ${known.length === 0 ? 'There is none yet.' : `The newest: ${known.join(', ')}.`}`,
  );
}

export async function readConsult(home: string, summary: ThreadSummary): Promise<ConsultLog> {
  const file = await findLog(home, summary.threadId);
  const { header, events } = await readLog(file, { damage: 'reject' });
  const rounds = roundsOf(events);
  const last = rounds.at(-1);
  if (last?.status === 'unknown' && lockHolder(pathsBeside(file).lock)) last.isRunning = true;
  return { header, name: nameOf(summary), rounds };
}

export async function takenNames(home: string): Promise<Set<string>> {
  return new Set((await listConsults(home)).map((thread) => nameOf(thread).toLowerCase()));
}

/**
 * Keeps a name for the one who is about to begin a thread by it, until the thread shows in the list. Rejects with
 * `thread_exists` when it is taken, also when somebody else is just taking it.
 */
export async function reserveName(home: string, name: string): Promise<ThreadLock> {
  const lock = lockName(home, name);
  if (!(await takenNames(home)).has(name.toLowerCase())) return lock;
  lock.release();
  throw nameTaken(name);
}

function lockName(home: string, name: string): ThreadLock {
  try {
    return lockThread(path.join(consultsFolder(home), `${name.toLowerCase()}.name`), { threadId: name });
  } catch (error) {
    if (LlmcodeError.isInstance(error) && error.code === 'thread-locked') throw nameTaken(name, error);
    throw error;
  }
}

export function nameTaken(name: string, cause?: unknown): LlmcodeError {
  return consultError(
    'thread_exists',
    `A thread named ${name} exists already. To go on with it: reply ${name} …`,
    cause,
  );
}

function nameOf({ name, threadId }: ThreadSummary): string {
  return name ?? threadId;
}
