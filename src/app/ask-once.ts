import { DaySpending } from '#engine/context/day-spending.ts';
import type { RunSpending } from '#engine/context/run-spending.ts';
import type { Clock } from '#lib/clock.ts';
import type { ModelRef } from '#protocol/model-ref.ts';
import type { ModelCatalogue } from '#providers/directory.ts';

/**
 * One question to a model, outside of any thread. What it costs counts for the budgets of the run and the day.
 * Rejects when the model does not answer.
 */
export async function askOnce(
  {
    catalogue,
    home,
    clock,
    spending: run,
  }: {
    catalogue: ModelCatalogue;
    home: string;
    clock: Clock;
    spending: RunSpending;
  },
  question: { ref: ModelRef; system: string; text: string; purpose: string; signal: AbortSignal },
): Promise<string> {
  const { ref, system, text, purpose, signal } = question;
  const client = await catalogue.open(ref);
  const message = {
    id: 'question',
    role: 'user' as const,
    origin: 'engine' as const,
    parts: [{ id: 'text', kind: 'text' as const, text }],
    createdAt: clock.now(),
  };
  let answer = '';
  const request = { system: [system], messages: [message], tools: [], threadId: purpose };
  for await (const part of client.stream(request, { signal, maxAttempts: 2 })) {
    if (part.kind === 'attempt') answer = '';
    if (part.kind === 'text-end') answer += part.text;
    if (part.kind === 'error') throw new Error(part.error.message);
    if (part.kind === 'finish' && part.costUsd) {
      run.add(part.costUsd);
      const spending = new DaySpending({ home, clock });
      spending.add(part.costUsd);
      await spending.settled();
    }
  }
  return answer;
}
