import type { HookOutcome } from '#protocol/hook.ts';
import type { DecisionReason } from '#protocol/permission.ts';
import type { Refused } from './refusal.ts';

const plainTexts = {
  allow: 'a hook allows it',
  ask: 'a hook asks for it',
  deny: 'a hook denies it',
  halt: 'a hook denies it and ends the turn',
  continue: 'a hook leaves it open',
} as const;

/** What hooks decided, as reasons: one for each hook that took part, with the file that it is written in. */
export function hookReasons({ decision, reason, deciders = [] }: HookOutcome): DecisionReason[] {
  const own = {
    check: decision === 'halt' ? 'hook-deny' : `hook-${decision}`,
    text: reason ?? plainTexts[decision],
  };
  if (deciders.length === 0) return [own];
  return deciders.map(({ hook, file }) => ({ ...own, hook, source: file }));
}

export function refusedByHook({ decision, reason }: HookOutcome): Refused {
  const why = reason ?? 'no reason given';
  const refused = { kind: 'refused', status: 'denied', text: `A hook refused this call: ${why}` } as const;
  return decision === 'halt' ? { ...refused, halt: why } : refused;
}
