import type { KeptChangeSet } from '#protocol/rewind.ts';
import type { ThreadState } from '#protocol/thread-state.ts';

type Changes = Pick<ThreadState, 'changes' | 'messages'>;

/** What calls did and nobody took back, oldest first. */
function inForce({ changes = [] }: Changes): KeptChangeSet[] {
  return changes.filter(({ cause, isUndone }) => cause === 'call' && !isUndone);
}

/** The sets of the last `prompts` prompts that changed files. */
export function lastSets(state: Changes, prompts: number): KeptChangeSet[] {
  const sets = inForce(state);
  const wanted = new Set<string | null>();
  for (const { promptId } of sets.toReversed()) {
    if (wanted.size >= prompts && !wanted.has(promptId)) break;
    wanted.add(promptId);
  }
  return sets.filter(({ promptId }) => wanted.has(promptId));
}

/** The sets since a message of the person, its own included. */
export function setsSince(state: Changes, promptId: string): KeptChangeSet[] {
  const places = new Map(state.messages.map(({ id }, index) => [id, index]));
  const from = places.get(promptId) ?? Number.POSITIVE_INFINITY;
  // What belongs to a message that was rewound away came after all that are left.
  const placeOf = ({ promptId: own }: KeptChangeSet) =>
    own === null ? -1 : (places.get(own) ?? Number.MAX_SAFE_INTEGER);
  return inForce(state).filter((set) => placeOf(set) >= from);
}

/** The newest step back that was not taken back itself. */
export function lastUndo({ changes = [] }: Changes): KeptChangeSet | undefined {
  return changes.findLast(({ cause, isUndone, files }) => cause === 'undo' && !isUndone && files > 0);
}
