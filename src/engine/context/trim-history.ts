import type { EventBody } from '#protocol/event.ts';
import type { ThreadState } from '#protocol/thread-state.ts';
import { modelMessages } from './history.ts';
import type { TokenMeter } from './token-meter.ts';
import { planTrim } from './trim.ts';

export type TrimDeps = {
  state(): ThreadState;
  meter: TokenMeter;
  /** Plain estimate of system prompt and tools. */
  fixedTokens: number;
  /** Resolves when the event is numbered and logged. */
  emit(body: EventBody): Promise<void>;
};

export type TrimOptions = {
  /** Tokens that the newest messages keep as they are. */
  keep: number;
  /** Tokens that the results of the newest message may take. */
  lastMax: number;
  /** It is only done when the request then takes no more than this. */
  target: number;
  hard?: boolean;
};

/** Shortens tool results for the model, all at once. False: there is not enough to shorten; nothing was changed. */
export async function trimHistory(
  { state, meter, fixedTokens, emit }: TrimDeps,
  { keep, lastMax, target, hard = false }: TrimOptions,
): Promise<boolean> {
  const before = state();
  const { scale, knownScale } = meter;
  const plan = planTrim(before, { keep: keep / scale, lastMax: lastMax / scale, hard });
  if (plan.length === 0) return false;
  const trims = { ...before.trims, ...Object.fromEntries(plan.map(({ callId, level }) => [callId, level])) };
  const tokensBefore = meter.estimate(modelMessages(before), fixedTokens);
  const tokensAfter = meter.estimate(modelMessages({ ...before, trims }), fixedTokens);
  if (tokensAfter > target) return false;
  await emit({ kind: 'history-trimmed', trims: plan, tokensBefore, tokensAfter, scale: knownScale });
  return true;
}
