import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import type { IdSource } from '#lib/ids.ts';
import { emptyThreadState } from '#protocol/apply-event.ts';
import type { EngineEvent } from '#protocol/event.ts';
import type { ThreadHeader } from '#protocol/thread-entry.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { type CopyPoint, cutEvents } from './cut-events.ts';
import { foldLog, settleCrash } from './fold.ts';
import { LiveThread } from './live-thread.ts';
import { lockThread, type ThreadLock } from './lock.ts';
import { ThreadLog } from './log.ts';
import { openLogFile } from './log-file.ts';
import { readLog } from './log-reader.ts';
import { findLog } from './store.ts';
import { newConsultPaths, newThreadPaths, pathsBeside, type ThreadPaths } from './thread-paths.ts';

export type ThreadSource =
  | { kind: 'new' }
  | { kind: 'resume'; threadId: string }
  | { kind: 'fork'; threadId: string; upTo?: CopyPoint }
  /** Goes on from this state, under its id, without a log of what went before. */
  | { kind: 'snapshot'; state: ThreadState };

export type StartOptions = {
  home: string;
  cwd: string;
  origin: ThreadSource;
  /** False: nothing is written under `home`. */
  persist: boolean;
  /** A new thread is one of questions to this peer, not of the person's own. */
  peer?: string | undefined;
  version: string;
  clock: Clock;
  ids: IdSource;
};

export type StartedThread = {
  thread: LiveThread;
  /** Absolute; may not exist yet. */
  filesDir: string;
  /** Writes what is left and frees the thread for others. */
  release(): Promise<void>;
};

/**
 * Opens a thread: makes a new one, takes up one from its log, or copies one. A thread that crashed in mid-turn is
 * brought to rest, with one result for each of its calls. Rejects with an `LlmcodeError` when the thread is
 * not there, damaged, or open in another process.
 */
export async function startThread(options: StartOptions): Promise<StartedThread> {
  const { origin } = options;
  switch (origin.kind) {
    case 'new':
      return startNew(options);
    case 'resume':
      return options.persist ? resume(options, origin.threadId) : copy(options, origin.threadId);
    case 'fork':
      return copy(options, origin.threadId, origin.upTo);
    case 'snapshot':
      return assemble(options, { state: origin.state, backlog: [], notices: [], length: 0 });
  }
}

async function startNew(options: StartOptions): Promise<StartedThread> {
  const header = newHeader(options);
  const { threadId, cwd } = header;
  const state = emptyThreadState({ threadId, cwd, mode: 'prompt' });
  return assemble(options, { state, backlog: [JSON.stringify(header)], notices: [], length: 0 });
}

async function resume(options: StartOptions, threadId: string): Promise<StartedThread> {
  const file = await findLog(options.home, threadId);
  const paths = pathsBeside(file);
  // Locked before it is read, so that nobody writes in between. A folder that cannot be written needs no lock.
  const lock = tryLock(paths, threadId);
  try {
    const { header, events, goodLength, notices } = await readLog(file, { damage: 'reject' });
    const state = foldLog({ header, events });
    const started = assemble(options, { state, backlog: [], notices, length: goodLength, paths, lock });
    if (state.cwd !== options.cwd)
      notice(
        started.thread,
        options,
        `This thread was made in ${state.cwd}; its tools now work in ${options.cwd}.`,
      );
    return started;
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** The copy holds the same events under its own id; the lines that are damaged in the source are left out. */
async function copy(options: StartOptions, sourceId: string, upTo?: CopyPoint): Promise<StartedThread> {
  const sourceFile = await findLog(options.home, sourceId);
  const source = await readLog(sourceFile, { damage: 'skip' });
  const shared = upTo ? cutEvents(source.events, upTo) : source.events;
  const header: ThreadHeader = {
    ...newHeader(options),
    forkedFrom: { threadId: sourceId, seq: shared.at(-1)?.seq ?? 0 },
  };
  const events = shared.map((event): EngineEvent => ({ ...event, threadId: header.threadId }));
  const started = assemble(options, {
    state: foldLog({ header, events }),
    backlog: [header, ...events].map((entry) => JSON.stringify(entry)),
    notices: source.notices,
    length: 0,
  });
  const from = pathsBeside(sourceFile).files;
  if (existsSync(from)) {
    try {
      await cp(from, started.filesDir, { recursive: true });
    } catch (error) {
      notice(started.thread, options, `Images and stored outputs were not copied: ${errorText(error)}`);
    }
  }
  return started;
}

function assemble(
  options: StartOptions,
  parts: {
    state: ThreadState;
    backlog: string[];
    notices: readonly string[];
    length: number;
    paths?: ThreadPaths;
    lock?: ThreadLock | undefined;
  },
): StartedThread {
  const { home, cwd, persist, clock, peer } = options;
  const { threadId } = parts.state;
  const paths =
    parts.paths ??
    (peer === undefined ? newThreadPaths(home, cwd, threadId) : newConsultPaths(home, threadId));
  const filesDir = persist ? paths.files : path.join(tmpdir(), `llmcode-${threadId}`);
  let { lock } = parts;
  const log = persist
    ? new ThreadLog({
        open: () => {
          lock ??= lockThread(paths.lock, { threadId });
          return openLogFile(paths.log);
        },
        length: parts.length,
        backlog: parts.backlog,
        onTrouble: (problem) =>
          notice(
            thread,
            options,
            `This thread cannot be saved (${problem}). It goes on in memory and is saved as soon as that works ` +
              `again: check the disk and the rights of ${path.dirname(paths.log)}.`,
          ),
        onRecovery: () => notice(thread, options, 'This thread is saved again.'),
        onRestored: () => {
          if (!existsSync(paths.lock)) lock = tryLock(paths, threadId);
          notice(
            thread,
            options,
            'The log of this thread was gone from the disk; it was written again. Images and whole outputs that ' +
              'lay beside it may be lost.',
          );
        },
      })
    : null;
  const state = { ...parts.state, cwd };
  const thread: LiveThread = new LiveThread({ state, log, clock });
  if (state.seq > 0) log?.begin();
  for (const text of parts.notices) notice(thread, options, text);
  for (const body of settleCrash(parts.state)) thread.emit(body, parts.state.turnId);
  log?.settle();
  return {
    thread,
    filesDir,
    release: async () => {
      await thread.close();
      lock?.release();
      if (!persist) await rm(filesDir, { recursive: true, force: true });
    },
  };
}

function tryLock(paths: ThreadPaths, threadId: string): ThreadLock | undefined {
  try {
    return lockThread(paths.lock, { threadId });
  } catch (error) {
    if (LlmcodeError.isInstance(error)) throw error;
    return undefined;
  }
}

function newHeader({ cwd, version, clock, ids, peer }: StartOptions): ThreadHeader {
  return {
    type: 'thread',
    version: 1,
    threadId: ids(),
    cwd,
    createdAt: clock.now(),
    llmcodeVersion: version,
    ...(peer === undefined ? {} : { purpose: 'consult' as const, peer }),
  };
}

function notice(thread: LiveThread, { ids }: StartOptions, text: string): void {
  thread.emit({ kind: 'notice-added', notice: { id: ids(), kind: 'notice', level: 'warning', text } }, null);
}
