import { z } from 'zod';
import { type MemoryEntry, memoryKinds, memoryOrigins } from '#protocol/memory.ts';

const draftSchema = z.object({
  kind: z.enum(memoryKinds),
  text: z.string(),
  tags: z.array(z.string()).readonly(),
  origin: z.enum(memoryOrigins),
  threadId: z.string().nullable(),
  createdAt: z.number(),
});

/** One line of the log. `undo` takes back the newest change before it that was not taken back yet. */
const lineSchema = z.discriminatedUnion('op', [
  /** Ids are given by the order of the lines, so that two sessions that write at once cannot give the same. */
  z.object({ op: z.literal('store'), key: z.string(), entry: draftSchema }),
  z.object({ op: z.literal('forget'), id: z.string(), at: z.number() }),
  z.object({ op: z.literal('undo'), at: z.number() }),
]);
export type MemoryLine = z.infer<typeof lineSchema>;
export type MemoryChange = { change: 'stored' | 'forgotten'; entry: MemoryEntry };

/** What the lines of a log add up to. `changes` are those that still hold, oldest first. */
export type MemoryState = {
  entries: ReadonlyMap<string, MemoryEntry>;
  changes: readonly MemoryChange[];
  /** The entry that a line with this key stored. */
  byKey: ReadonlyMap<string, MemoryEntry>;
};

/** Folds a log. A line that cannot be read is passed over: a power cut leaves half of one, and nothing else is lost. */
export function foldMemory(text: string): MemoryState {
  const entries = new Map<string, MemoryEntry>();
  const changes: MemoryChange[] = [];
  const byKey = new Map<string, MemoryEntry>();
  for (const line of text.split('\n')) {
    const read = readLine(line);
    switch (read?.op) {
      case 'store': {
        const entry = { id: `m${byKey.size + 1}`, ...read.entry };
        byKey.set(read.key, entry);
        entries.set(entry.id, entry);
        changes.push({ change: 'stored', entry });
        break;
      }
      case 'forget': {
        const entry = entries.get(read.id);
        if (!entry) break;
        entries.delete(read.id);
        changes.push({ change: 'forgotten', entry });
        break;
      }
      case 'undo': {
        const last = changes.pop();
        if (last?.change === 'stored') entries.delete(last.entry.id);
        if (last?.change === 'forgotten') entries.set(last.entry.id, last.entry);
        break;
      }
      case undefined:
        break;
    }
  }
  return { entries, changes, byKey };
}

function readLine(line: string): MemoryLine | undefined {
  if (line.trim() === '') return undefined;
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
