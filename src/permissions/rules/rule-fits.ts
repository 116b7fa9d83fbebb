import { decide } from '../decide.ts';
import type { ResolvedCall } from '../parts.ts';
import { type RuleBases, ruleCovers, ruleHits } from './match-rule.ts';
import type { PlacedRule, RuleAction } from './rule.ts';

/**
 * Whether a rule says something of a call when no other rule does: a rule that allows must let all of it run, a rule
 * that asks or denies needs to meet some part of it.
 */
export function ruleFits(
  action: RuleAction,
  rule: PlacedRule,
  call: ResolvedCall,
  bases: RuleBases,
): boolean {
  if (action !== 'allow') return call.parts.some((part) => ruleHits(rule, part, call, bases));
  if (!call.parts.some((part) => ruleCovers(rule, part, call, bases))) return false;
  return decide(call, { deny: [], ask: [], allow: [rule], bases }).decision === 'allow';
}
