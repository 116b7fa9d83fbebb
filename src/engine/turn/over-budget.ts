import type { ModelClient } from '#protocol/model-client.ts';
import { budgetStop, hasBudget, type LastCall, unpricedWarning } from '../context/budget.ts';
import { modelMessages } from '../context/history.ts';
import { addNotice, type TurnContext, type TurnOutcome } from './turn-context.ts';
import type { TurnDeps } from './turn-deps.ts';

/** How the turn ends when the next call would pass a budget; undefined = it may be made. */
export async function overBudget(turn: TurnContext, client: ModelClient): Promise<TurnOutcome | undefined> {
  const { deps, last } = turn;
  const { info } = client;
  const memory = deps.memory();
  if (hasBudget(deps.settings.max_budget_usd) && !info.price && !info.local && !memory.wasUnpricedTold) {
    memory.wasUnpricedTold = true;
    await addNotice(turn, 'warning', unpricedWarning(info));
  }
  const text = await budgetRefusal(deps, { client, last });
  return text === undefined ? undefined : { reason: 'budget', text };
}

/** Why a call with the history as it is must not be made. */
export async function budgetRefusal(
  deps: Pick<TurnDeps, 'settings' | 'memory' | 'state' | 'fixedTokens' | 'spent'>,
  { client, last }: { client: ModelClient; last: LastCall | undefined },
): Promise<string | undefined> {
  const limits = deps.settings.max_budget_usd;
  if (!hasBudget(limits)) return undefined;
  const inputTokens = deps.memory().meter.estimate(modelMessages(deps.state()), deps.fixedTokens);
  return budgetStop({ limits, spent: await deps.spent(), info: client.info, inputTokens, last });
}
