import type { DecisionReason, PermissionDecision } from '#protocol/permission.ts';
import { joinReasons, reason } from './checks.ts';
import { modeDecision, type PartDecision } from './mode-table.ts';
import type { CallPart, ResolvedCall } from './parts.ts';
import { type RuleBases, ruleCovers, ruleHits } from './rules/match-rule.ts';
import type { PlacedRule } from './rules/rule.ts';

/** Rules by what they do. `allow` holds only those of files that the person owns. */
export type RuleSet = {
  deny: readonly PlacedRule[];
  ask: readonly PlacedRule[];
  allow: readonly PlacedRule[];
  bases: RuleBases;
};

/**
 * Decides a call. Pure. The order: what is refused in every mode, deny rules, what plan and read-only mode refuse,
 * ask rules, allow rules, the table of the mode. The worst part decides.
 */
export function decide(call: ResolvedCall, rules: RuleSet): PermissionDecision {
  const hard = [...call.denials.map(({ check, source }) => reason(check, source)), ...neverReasons(call)];
  if (hard.length > 0) return { decision: 'deny', reasons: unique(hard) };
  const denied = hits(call, rules.deny, rules.bases);
  if (denied.length > 0)
    return { decision: 'deny', reasons: unique(denied.map((rule) => ruleReason('rule-deny', rule))) };
  const parts = call.parts.map((part) => decidePart(part, call, rules));
  const refused = reasonsOf(parts, 'deny');
  if (refused.length > 0) return { decision: 'deny', reasons: refused };
  const asked = hits(call, rules.ask, rules.bases).map((rule) => ruleReason('rule-ask', rule));
  const open = [...asked, ...reasonsOf(parts, 'ask')];
  const remarks = call.remarks.map(({ check, source }) => ({ ...reason(check, source), isRemark: true }));
  if (open.length > 0) return { decision: 'ask', reasons: unique([...open, ...remarks]) };
  const allowed = unique(parts.flatMap(({ reasons }) => reasons));
  const byRule = allowed.filter(({ rule }) => rule !== undefined);
  return {
    decision: 'allow',
    reasons: byRule.length > 0 ? byRule : allowed.length > 0 ? allowed : [reason('harmless')],
  };
}

function neverReasons({ parts }: ResolvedCall): DecisionReason[] {
  return parts.flatMap((part) =>
    part.kind === 'path' && part.verdict.level === 'never' ? [reason(part.verdict.check, shown(part))] : [],
  );
}

/** The name and, where it leads elsewhere or is another file as well, that. */
function shown({ fact }: Extract<CallPart, { kind: 'path' }>): string {
  if (fact.twin !== undefined) return `${fact.given} (the same file as ${fact.twin})`;
  return fact.given === fact.real ? fact.given : `${fact.given} -> ${fact.real}`;
}

function decidePart(part: CallPart, call: ResolvedCall, { allow, bases }: RuleSet): PartDecision {
  const byMode = modeDecision(part, call.mode, bases.cwd);
  // What a mode refuses, no rule brings back; what it allows needs none.
  if (byMode.decision !== 'ask') return byMode;
  const rule = allow.find((candidate) => ruleCovers(candidate, part, call, bases));
  return rule ? { decision: 'allow', reasons: [ruleReason('rule-allow', rule)] } : byMode;
}

function hits(call: ResolvedCall, rules: readonly PlacedRule[], bases: RuleBases): PlacedRule[] {
  return rules.filter((rule) => call.parts.some((part) => ruleHits(rule, part, call, bases)));
}

function ruleReason(check: 'rule-deny' | 'rule-ask' | 'rule-allow', rule: PlacedRule): DecisionReason {
  const { file, line } = rule.source;
  const placed = { ...reason(check, rule.text), rule: rule.text, source: file };
  return line === undefined ? placed : { ...placed, line };
}

function reasonsOf(parts: readonly PartDecision[], decision: 'deny' | 'ask'): DecisionReason[] {
  const found = parts.filter((part) => part.decision === decision).flatMap(({ reasons }) => reasons);
  return unique(joinReasons(found));
}

/** More reasons than this help nobody. */
const maxReasons = 20;

function unique(reasons: readonly DecisionReason[]): DecisionReason[] {
  const seen = new Set<string>();
  const distinct = reasons.filter(({ check, text, rule = '' }) => {
    const key = `${check}\n${text}\n${rule}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return distinct.slice(0, maxReasons);
}
