import { fixedEstimate } from '#engine/context/token-estimate.ts';
import { systemClock } from '#lib/clock.ts';
import { LlmcodeError } from '#lib/errors.ts';
import { displayPath } from '#lib/paths.ts';
import { listSummaries, summariesFolder } from '#memory/entries/summaries.ts';
import { type MemoryEntry, type MemoryKind, memoryKinds } from '#protocol/memory.ts';
import type { Composition } from '../compose.ts';
import { lintMemory } from './lint-memory.ts';
import {
  consolidatedText,
  entriesText,
  entryLine,
  findingsText,
  historyText,
  overviewText,
} from './memory-text.ts';

/** What a person does with memory, from the screen or a shell; texts are Markdown. */
export type MemoryCommands = {
  overview(): Promise<string>;
  /** By id, or what fits the words. */
  get(what: string): Promise<string>;
  /** A first word that names a kind says of what kind it is. */
  add(text: string): Promise<string>;
  /** Puts another text in the place of an entry. */
  set(id: string, text: string): Promise<string>;
  delete(id: string): Promise<string>;
  undo(): Promise<string>;
  lint(): Promise<string>;
  /** What the newest sessions came to. */
  history(count: number): Promise<string>;
  /** Notes what this thread taught, now. */
  consolidate(threadId: string | null, signal?: AbortSignal): Promise<string>;
};

const maxFinds = 20;

type Parts = Pick<
  Composition,
  'memory' | 'news' | 'instructionFiles' | 'cwd' | 'settings' | 'catalogue' | 'home' | 'spending'
>;

/** `threadId`: where the person is; null outside of a session. Each method rejects with `memory-off` where it is off. */
export function createMemoryCommands(options: {
  parts(): Promise<Parts>;
  threadId(): string | null;
  /** The working notes of the thread; '' = none. */
  notes?(): Promise<string>;
  now(): number;
}): MemoryCommands {
  const open = async () => {
    const parts = await options.parts();
    if (!parts.memory)
      throw new LlmcodeError('memory-off', 'Memory is off here: the setting `memory.enabled` is false.');
    return { ...parts, memory: parts.memory };
  };

  const store = async (text: string, kind: MemoryKind): Promise<MemoryEntry | string> => {
    const { memory } = await open();
    const draft = { kind, text, tags: [], origin: 'person' as const, threadId: options.threadId() };
    const stored = await memory.project.store(draft);
    switch (stored.kind) {
      case 'refused':
        throw new LlmcodeError('memory-refused', `It was not remembered: ${stored.why}.`);
      case 'known':
        return `It is remembered already: ${entryLine(stored.entry)}`;
      case 'stored':
        return stored.entry;
    }
  };

  return {
    async overview() {
      const { memory, instructionFiles, cwd } = await options.parts();
      return overviewText({
        files: instructionFiles.map(({ path, text, truncated }) => ({
          name: displayPath(path, cwd),
          tokens: fixedEstimate({ system: [text], tools: [] }),
          truncated,
        })),
        entries: memory ? await memory.project.list() : null,
        blockTokens: memory ? fixedEstimate({ system: await memory.block(), tools: [] }) : 0,
        folder: memory ? displayPath(memory.folder, cwd) : '',
        notes: (await options.notes?.()) ?? '',
      });
    },
    async get(what) {
      const { memory } = await open();
      const entries = await memory.project.list();
      const named = entries.find(({ id }) => id === what);
      if (named) return entriesText([named]);
      const found = await memory.project.find({ text: what, tags: [], limit: maxFinds });
      return found.length === 0 ? 'Nothing of that is remembered.' : entriesText(found);
    },
    async add(text) {
      const { kind, rest } = withKind(text);
      const stored = await store(rest, kind);
      if (typeof stored === 'string') return stored;
      (await open()).news.tell(`The person remembered for this project: ${stored.text}`);
      return `Remembered for this project as ${stored.id} (${stored.kind}). \`/memory undo\` takes it back.`;
    },
    async set(id, text) {
      const { memory, news } = await open();
      const old = (await memory.project.list()).find((entry) => entry.id === id);
      if (!old) throw noSuch(id);
      const stored = await store(text, old.kind);
      if (typeof stored === 'string') return stored;
      await memory.project.forget(id);
      news.tell(`The person corrected what is remembered. Before: ${old.text} Now: ${stored.text}`);
      return `${id} is replaced by ${stored.id}.`;
    },
    async delete(id) {
      const { memory, news } = await open();
      const entry = await memory.project.forget(id);
      if (!entry) throw noSuch(id);
      news.tell(`The person took this out of memory; do not rely on it: ${entry.text}`);
      return `Forgotten: ${entryLine(entry)}. \`/memory undo\` brings it back.`;
    },
    async undo() {
      const { memory, news } = await open();
      const undone = await memory.project.undo();
      if (!undone) return 'There is nothing to take back.';
      const { entry } = undone;
      const isGone = undone.change === 'stored';
      news.tell(
        isGone
          ? `The person took this out of memory; do not rely on it: ${entry.text}`
          : `The person put this back into memory: ${entry.text}`,
      );
      return isGone ? `No longer remembered: ${entryLine(entry)}` : `Remembered again: ${entryLine(entry)}`;
    },
    async lint() {
      const { memory, settings } = await open();
      const entries = await memory.project.list();
      return findingsText(lintMemory(entries, { project: settings.project, now: options.now() }), entries);
    },
    async history(count) {
      const { memory } = await open();
      return historyText(await listSummaries(summariesFolder(memory.folder), { limit: count }));
    },
    async consolidate(threadId, signal = new AbortController().signal) {
      if (threadId === null) return 'There is no thread to note anything of.';
      const { consolidate } = await import('./consolidate.ts');
      const parts = await open();
      const done = await consolidate(parts, { threadId, isAsked: true, clock: systemClock, signal });
      if (done.kind === 'nothing') return `Nothing was noted: ${done.why}.`;
      for (const { text } of done.stored) parts.news.tell(`Remembered of this session: ${text}`);
      return consolidatedText(done);
    },
  };
}

function withKind(text: string): { kind: MemoryKind; rest: string } {
  const [first = '', rest = ''] = text.split(/:?\s+([\s\S]*)/, 2);
  const kind = memoryKinds.find((name) => name === first.toLowerCase());
  return kind && rest !== '' ? { kind, rest } : { kind: 'project', rest: text };
}

function noSuch(id: string): LlmcodeError {
  return new LlmcodeError('memory-unknown', `Nothing is remembered as ${id}; \`/memory\` shows the ids.`);
}
