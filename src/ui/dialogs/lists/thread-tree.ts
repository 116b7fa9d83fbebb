import type { ThreadSummary } from '#protocol/thread-entry.ts';

/** Copies of copies of copies look no deeper than this. */
const maxDepth = 4;

export type ThreadTree = {
  /** Copies stand below what they are copies of; a family stands where its newest thread would. */
  readonly threads: readonly ThreadSummary[];
  /** How far a thread is from the first one of its family; absent = it is the first. */
  readonly depths: ReadonlyMap<string, number>;
};

/** `threads` newest first. */
export function threadTree(threads: readonly ThreadSummary[]): ThreadTree {
  const byId = new Map(threads.map((thread) => [thread.threadId, thread]));
  const copies = new Map<string, ThreadSummary[]>();
  const roots = new Set<ThreadSummary>();
  for (const thread of threads) {
    const parent = parentOf(thread, byId);
    if (parent) copies.set(parent.threadId, [...(copies.get(parent.threadId) ?? []), thread]);
    roots.add(rootOf(thread, byId));
  }
  const placed: ThreadSummary[] = [];
  const depths = new Map<string, number>();
  const place = (thread: ThreadSummary, depth: number) => {
    placed.push(thread);
    if (depth > 0) depths.set(thread.threadId, Math.min(depth, maxDepth));
    for (const copy of copies.get(thread.threadId) ?? []) place(copy, depth + 1);
  };
  for (const root of roots) place(root, 0);
  return { threads: placed, depths };
}

/** A copy is younger than its source, and ids rise with time: a log that says otherwise leads in no circle. */
function parentOf(
  { threadId, forkedFrom }: ThreadSummary,
  byId: ReadonlyMap<string, ThreadSummary>,
): ThreadSummary | undefined {
  return forkedFrom === undefined || forkedFrom >= threadId ? undefined : byId.get(forkedFrom);
}

function rootOf(thread: ThreadSummary, byId: ReadonlyMap<string, ThreadSummary>): ThreadSummary {
  let root = thread;
  for (let parent = parentOf(root, byId); parent; parent = parentOf(root, byId)) root = parent;
  return root;
}
