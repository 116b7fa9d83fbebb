import { formatModelRef } from '#protocol/model-ref-text.ts';
import type { ConsultParts } from './consult-parts.ts';
import type { AskedRound, Seat } from './run-round.ts';

/** For hooks that are told of the end of a round, in milliseconds. */
const lateHookMs = 5_000;

/** Tells hooks of one round with a peer; they only watch, and the answer waits for them a moment at most. */
export function roundHooks({ createHooks, clock }: ConsultParts, { thread, ref }: Seat) {
  let threadId = '';
  const hooks = createHooks(() => threadId);
  const limit = new AbortController();
  const told: Promise<unknown>[] = [];
  const tell = (phase: 'spawn' | 'message' | 'complete' | 'error', text: string) => {
    const about = { agentId: threadId, agentType: 'peer', name: thread, model: formatModelRef(ref) };
    told.push(hooks.fire({ event: 'agent', phase, ...about, text }, { signal: limit.signal }));
  };
  return {
    asked(id: string, question: string): void {
      threadId = id;
      tell('spawn', '');
      tell('message', question);
    },
    async ended({ status, text, failure }: Pick<AskedRound, 'status' | 'text' | 'failure'>): Promise<void> {
      if (status === 'answered') tell('complete', text);
      else tell('error', failure?.message ?? 'The question was taken back.');
      const cancel = clock.after(lateHookMs, () => limit.abort());
      await Promise.all(told);
      cancel();
    },
  };
}
