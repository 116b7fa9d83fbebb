import type { ThreadSummary } from '#protocol/thread-entry.ts';
import type { ThreadState } from '#protocol/thread-state.ts';

/** What stands above a conversation in a file. */
export type ThreadHeading = Pick<
  ThreadSummary,
  'threadId' | 'name' | 'title' | 'cwd' | 'createdAt' | 'model'
>;

/** Of a thread that is open. */
export function headingOf({ threadId, name, cwd, model, messages }: ThreadState): ThreadHeading {
  const [first] = messages;
  return {
    threadId,
    name,
    title: 'Conversation',
    cwd,
    createdAt: first?.createdAt ?? Date.now(),
    model: model && `${model.provider}/${model.model}`,
  };
}
