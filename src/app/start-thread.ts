import type { ThreadSource } from '#engine/thread/start-thread.ts';
import { findThread, listThreads } from '#engine/thread/store.ts';
import { LlmcodeError } from '#lib/errors.ts';
import type { ThreadSummary } from '#protocol/thread-entry.ts';
import type { SessionFlags } from './cli/flags.ts';
import { usageError } from './cli/usage-error.ts';
import { existingFolder, workingFolder } from './cwd.ts';
import type { Host } from './host.ts';

export type StartThread = {
  origin: ThreadSource;
  /** Where it works: its own folder, unless `--cwd` says otherwise. */
  cwd: string;
  /** The model that the thread used last, as text. */
  model: string | null;
};

/** The thread that `-c`, `-r` and `--fork` ask for; a new one without them. */
export async function findStartThread(
  { home, host }: { home: string; host: Host },
  flags: SessionFlags,
): Promise<StartThread> {
  if (flags.resume === true)
    throw usageError('--resume needs an id or a name here: `llmcode threads list` shows them');
  const cwd = workingFolder(host, flags.cwd);
  if (flags.resume === undefined && !flags.continue) return { origin: { kind: 'new' }, cwd, model: null };
  const thread =
    flags.resume === undefined
      ? await newestThread(home, cwd)
      : await findThread(home, flags.resume, { cwd });
  if (!flags.fork) refuseConsult(thread);
  const { threadId, model } = thread;
  return {
    origin: { kind: flags.fork ? 'fork' : 'resume', threadId },
    cwd: flags.cwd === undefined ? existingFolder(thread.cwd) : cwd,
    model,
  };
}

async function newestThread(home: string, cwd: string): Promise<ThreadSummary> {
  const newest = (await listThreads(home, { cwd })).find(({ isArchived }) => isArchived !== true);
  if (newest) return newest;
  throw new LlmcodeError(
    'thread-not-found',
    `there is no thread to continue in ${cwd}; leave out --continue to begin one`,
    {
      exitCode: 2,
    },
  );
}

/** A peer's thread has one model and its own rules; a copy is a thread like any other. */
export function refuseConsult({ kind, name, threadId, peer }: ThreadSummary): void {
  if (kind !== 'consult') return;
  const shown = name ?? threadId;
  throw new LlmcodeError(
    'thread-of-peer',
    `${shown} is a thread with ${peer}. To ask on: llmcode consult reply ${shown} "…"; to go on in a copy: llmcode --resume ${threadId} --fork`,
    { exitCode: 2 },
  );
}
