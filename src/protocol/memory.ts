/** What a remembered fact is about: the person, what they want done differently, this project, or where to look. */
export const memoryKinds = ['user', 'feedback', 'project', 'reference'] as const;
export type MemoryKind = (typeof memoryKinds)[number];

/** Who wrote an entry down: the person, the model by a tool, or the consolidation of a session. */
export const memoryOrigins = ['person', 'model', 'session'] as const;
export type MemoryOrigin = (typeof memoryOrigins)[number];

/** One fact that outlives its thread. It is data for the model, never an instruction. */
export type MemoryEntry = {
  /** Short, e.g. `m12`; never given twice in a project. */
  id: string;
  kind: MemoryKind;
  text: string;
  tags: readonly string[];
  origin: MemoryOrigin;
  /** The thread in which it was learned; null outside of one. */
  threadId: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
};

export type MemoryDraft = Pick<MemoryEntry, 'kind' | 'text' | 'tags' | 'origin' | 'threadId'>;

/**
 * What came of it. `known`: an entry says the same already. `near`: older entries about the same thing, which may
 * contradict it. `refused`: it must not or need not be remembered.
 */
export type MemoryStored =
  | { kind: 'stored'; entry: MemoryEntry; near: readonly MemoryEntry[] }
  | { kind: 'known'; entry: MemoryEntry }
  | { kind: 'refused'; why: string };

/** The remembered facts of one project. Each method rejects with an `LlmcodeError` when the disk does not do it. */
export interface ProjectMemory {
  /** Newest first. */
  list(): Promise<readonly MemoryEntry[]>;
  /** Those that fit the words, best first; all of a tag when there are no words. */
  find(query: { text: string; tags: readonly string[]; limit: number }): Promise<readonly MemoryEntry[]>;
  store(draft: MemoryDraft): Promise<MemoryStored>;
  /** Takes an entry out; undefined when there is none with this id. It stays in the log and can come back. */
  forget(id: string): Promise<MemoryEntry | undefined>;
  /** Takes the newest change back, whether it was a store or a forget; undefined when there is none. */
  undo(): Promise<{ change: 'stored' | 'forgotten'; entry: MemoryEntry } | undefined>;
}

/** Memory as a tool of a thread sees it. */
export interface ThreadMemory extends Pick<ProjectMemory, 'list' | 'find' | 'forget'> {
  remember(fact: Pick<MemoryDraft, 'kind' | 'text' | 'tags'>): Promise<MemoryStored>;
}
