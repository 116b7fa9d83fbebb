import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writePrivateFile } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { errorText } from '#lib/errors.ts';
import { log } from '#lib/log.ts';
import { hangsOnTask, memoryBlock, memoryNote } from '#memory/entries/memory-block.ts';
import { memoryFolder, openProjectMemory } from '#memory/entries/project-memory.ts';
import type { MemoryEntry, ProjectMemory, ThreadMemory } from '#protocol/memory.ts';

/** Entries that one request brings. */
const maxForRequest = 5;

/** The memory of a session's project, and what its threads get of it. */
export interface SessionMemory {
  readonly folder: string;
  readonly project: ProjectMemory;
  /**
   * For the system prompt of a thread that is opened now; none when nothing is remembered or it cannot be read.
   * `byTask`: only what counts for every task.
   */
  block(options?: { byTask: boolean }): Promise<string[]>;
  /** What `block` with `byTask` leaves out and a request asks for; for one thread, each entry once. */
  forRequests(): (request: string) => Promise<string[]>;
  forThread(threadId: () => string): ThreadMemory;
  /** What was remembered at the end of sessions and not shown to the person yet; each once. */
  takeUnseen(): Promise<readonly MemoryEntry[]>;
}

export function createSessionMemory(options: { home: string; project: string; clock: Clock }): SessionMemory {
  const folder = memoryFolder(options.home, options.project);
  const project = openProjectMemory(folder, { clock: options.clock });
  return {
    folder,
    project,
    async block({ byTask } = { byTask: false }) {
      try {
        const text = memoryBlock(await project.list(), byTask ? { isLeftOut: hangsOnTask } : {});
        return text === undefined ? [] : [text];
      } catch (error) {
        log('memory was not read:', errorText(error));
        return [];
      }
    },
    forRequests() {
      const given = new Set<string>();
      return async (request) => {
        try {
          const found = await project.find({ text: request, tags: [], limit: maxForRequest * 4 });
          const fresh = found.filter((entry) => hangsOnTask(entry) && !given.has(entry.id));
          const entries = fresh.slice(0, maxForRequest);
          for (const { id } of entries) given.add(id);
          return entries.length === 0 ? [] : [memoryNote(entries)];
        } catch (error) {
          log('memory was not read:', errorText(error));
          return [];
        }
      };
    },
    forThread: (threadId) => ({
      list: () => project.list(),
      find: (query) => project.find(query),
      forget: (id) => project.forget(id),
      remember: (fact) => project.store({ ...fact, origin: 'model', threadId: threadId() || null }),
    }),
    async takeUnseen() {
      const seenFile = path.join(folder, 'seen');
      try {
        const entries = (await project.list()).filter(({ origin }) => origin === 'session');
        const seen = Number(await readFile(seenFile, 'utf8').catch(() => '0')) || 0;
        const unseen = entries.filter(({ createdAt }) => createdAt > seen);
        if (unseen.length > 0)
          await writePrivateFile(seenFile, String(Math.max(...unseen.map(({ createdAt }) => createdAt))));
        return unseen;
      } catch (error) {
        log('what is new in memory was not shown:', errorText(error));
        return [];
      }
    },
  };
}
