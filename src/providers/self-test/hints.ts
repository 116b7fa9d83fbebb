import type { ModelChoice } from '#protocol/model-ref.ts';
import type { Capability, CapabilityKey } from '../capabilities/capability-store.ts';
import type { Connection } from '../connections.ts';
import { withLearned } from '../model-facts.ts';
import { cardHint, cardOf } from './card.ts';

/** The choices with what tests have shown of them. */
export function withHints(
  choices: readonly ModelChoice[],
  {
    connections,
    learned,
  }: {
    connections: ReadonlyMap<string, Connection>;
    learned: (key: CapabilityKey) => Capability | undefined;
  },
): readonly ModelChoice[] {
  return choices.map((choice) => {
    const { provider, model } = choice.ref;
    const connection = connections.get(provider);
    const known = connection && learned({ baseUrl: connection.baseUrl, model });
    if (!connection || !known) return choice;
    const info = choice.info && withLearned(choice.info, { connection, learned: known });
    const card = cardOf(known);
    const detail = card ? `${choice.detail} · ${cardHint(card)}` : choice.detail;
    return { ...choice, detail, ...(info ? { info } : {}) };
  });
}
