import type { DecisionReason, PermissionDecision } from '#protocol/permission.ts';
import type { PermissionGate } from '#protocol/permission-gate.ts';
import { isCheckOfRules } from './checks.ts';
import type { DecisionEntry } from './decision-log.ts';

export type ReplayedCall = {
  entry: DecisionEntry;
  before: PermissionDecision['decision'];
  after: PermissionDecision['decision'];
  /** Why it would be so. */
  reason: DecisionReason | undefined;
};

/** Decides past calls anew and gives those that would be decided otherwise; without `before` than they were. */
export function replayDecisions(
  entries: readonly DecisionEntry[],
  { before, after }: { before: PermissionGate | undefined; after: PermissionGate },
): ReplayedCall[] {
  return entries.flatMap((entry) => {
    const { tool, effect, input, resources, mode } = entry;
    const call = { tool, effect, input, resources, mode };
    // What a hook or the sandbox brought up, rules have not decided and would not decide now.
    if (!before && entry.reasons.some(({ check }) => !isCheckOfRules(check))) return [];
    const was = before ? before.decide(call).decision : entry.decision;
    const { decision, reasons } = after.decide(call);
    return decision === was ? [] : [{ entry, before: was, after: decision, reason: reasons[0] }];
  });
}
