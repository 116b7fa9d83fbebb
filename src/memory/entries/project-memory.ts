import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#lib/clock.ts';
import { errorText, LlmcodeError } from '#lib/errors.ts';
import { makeFolder } from '#lib/make-folder.ts';
import { projectKey } from '#lib/project-key.ts';
import { problemText, readRegularFile } from '#lib/regular-file.ts';
import type { MemoryDraft, MemoryEntry, MemoryStored, ProjectMemory } from '#protocol/memory.ts';
import { findEntries } from './find-entries.ts';
import { foldMemory, type MemoryLine, type MemoryState } from './memory-log.ts';
import { whyRefused } from './refuse-entry.ts';
import { likeness } from './words.ts';

const maxLogBytes = 16_000_000;
const maxEntries = 2_000;
const maxTags = 8;
/** From here on two texts are about the same thing. */
const nearFrom = 0.5;

/** With the person, not in the project: what is remembered is private. */
export function memoryFolder(home: string, project: string): string {
  return path.join(home, 'projects', projectKey(project), 'memory');
}

/**
 * The facts of a project as an append-only log. Each call reads the log anew, so sessions beside each other see what
 * the others remember; one line is one write.
 */
export function openProjectMemory(folder: string, { clock }: { clock: Clock }): ProjectMemory {
  const file = path.join(folder, 'entries.jsonl');

  const read = async (): Promise<MemoryState> => {
    const found = await readRegularFile(file, { maxBytes: maxLogBytes });
    if (!('kind' in found)) return foldMemory(found.bytes.toString('utf8'));
    if (found.kind === 'missing') return foldMemory('');
    throw new LlmcodeError('memory-unreadable', `${file} ${problemText(found)}`);
  };
  const append = async (line: MemoryLine): Promise<MemoryState> => {
    try {
      makeFolder(folder);
      // The line before may be half a line of a process that was killed.
      await appendFile(file, `\n${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
    } catch (cause) {
      throw new LlmcodeError('memory-unwritable', `Memory was not written: ${errorText(cause)}`, { cause });
    }
    return read();
  };
  const list = async () => newestFirst(await read());

  return {
    list,
    find: async (query) => findEntries(await list(), query),
    async store(draft): Promise<MemoryStored> {
      const entry = cleanDraft(draft);
      const why = whyRefused(entry.text);
      if (why !== undefined) return { kind: 'refused', why };
      const entries = await list();
      const known = entries.find(({ text }) => plain(text) === plain(entry.text));
      if (known) return { kind: 'known', entry: known };
      if (entries.length >= maxEntries)
        return { kind: 'refused', why: `${maxEntries} entries are remembered already; forget some first` };
      const near = entries.filter(({ text }) => likeness(text, entry.text) >= nearFrom);
      const key = randomUUID();
      const { byKey } = await append({ op: 'store', key, entry: { ...entry, createdAt: clock.now() } });
      const stored = byKey.get(key);
      if (!stored)
        throw new LlmcodeError('memory-unwritable', `${file} does not hold what was written to it.`);
      return { kind: 'stored', entry: stored, near };
    },
    async forget(id) {
      const entry = (await read()).entries.get(id);
      if (entry) await append({ op: 'forget', id, at: clock.now() });
      return entry;
    },
    async undo() {
      const last = (await read()).changes.at(-1);
      if (last) await append({ op: 'undo', at: clock.now() });
      return last;
    },
  };
}

function newestFirst({ entries }: MemoryState): MemoryEntry[] {
  return [...entries.values()].reverse();
}

function cleanDraft({ kind, text, tags, origin, threadId }: MemoryDraft): MemoryDraft {
  const clean = tags.map((tag) => tag.trim().toLowerCase().slice(0, 40)).filter((tag) => tag !== '');
  return { kind, text: text.trim(), tags: [...new Set(clean)].slice(0, maxTags), origin, threadId };
}

/** Two texts that differ only in spaces, case and the full stop say the same. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[.!\s]+$/, '');
}
