import { displayPath } from '#lib/paths.ts';
import type { DecisionEntry } from '#permissions/decision-log.ts';
import type { RuleFinding } from '#permissions/examine-rules.ts';
import type { ListedRule } from '#permissions/rules/rule-set.ts';
import type { DecisionReason, PermissionMode } from '#protocol/permission.ts';
import type { DecisionRow, PermissionOverview, RuleRow } from '#protocol/permission-overview.ts';
import { isOwnRule } from './change-rules.ts';
import { type Desk, everyRule, pastDecisions, ruleFindings } from './rule-desk.ts';

const shownDecisions = 100;

/** All that a person may want to know of permissions, as rows of lists. */
export function permissionOverview(desk: Desk, mode: PermissionMode): PermissionOverview {
  const findings = ruleFindings(desk);
  return {
    mode,
    rules: everyRule(desk).map((rule, index) => ruleRow(rule, { id: String(index), desk, findings })),
    decisions: pastDecisions(desk, shownDecisions)
      .map((entry, index) => decisionRow(entry, String(index), desk.cwd))
      .reverse(),
  };
}

function ruleRow(
  rule: ListedRule,
  { id, desk, findings }: { id: string; desk: Desk; findings: readonly RuleFinding[] },
): RuleRow {
  const { action, text, source } = rule;
  const problem = findings.find((found) => isOf(found, rule))?.text;
  return {
    id,
    action,
    rule: text,
    place: placeText(source, desk.cwd),
    isOwn: isOwnRule(desk, rule),
    ...(problem === undefined ? {} : { problem }),
  };
}

export function isOf({ rule }: RuleFinding, listed: ListedRule): boolean {
  const { file, line } = rule.source;
  const isPlace = file === listed.source.file && line === listed.source.line;
  return isPlace && rule.action === listed.action && rule.text === listed.text;
}

export function decisionRow(entry: DecisionEntry, id: string, cwd: string): DecisionRow {
  return {
    id,
    when: timeText(entry.time),
    tool: entry.tool,
    what: entry.what,
    outcome: outcomeText(entry),
    why: entry.reasons.map((reason) => reasonText(reason, cwd)),
  };
}

/** `text (check) · rule Bash(x) from file:line` */
export function reasonText({ text, check, rule, hook, source, line }: DecisionReason, cwd: string): string {
  const place = source === undefined ? '' : ` from ${placeText({ file: source, line }, cwd)}`;
  const decider = rule === undefined ? (hook === undefined ? '' : `hook ${hook}`) : `rule ${rule}`;
  return `${text} (${check})${decider === '' ? '' : ` · ${decider}${place}`}`;
}

export function placeText({ file, line }: { file: string; line?: number | undefined }, cwd: string): string {
  const shown = file.startsWith('/') ? displayPath(file, cwd) : file;
  return line === undefined ? shown : `${shown}:${line}`;
}

function outcomeText({ decision, outcome, by, answer }: DecisionEntry): string {
  if (decision === 'deny') return by === 'hook' ? 'denied by a hook' : 'denied';
  if (by === 'rules' && decision === 'allow') return 'allowed';
  switch (by) {
    case 'rules':
      return outcome === 'allowed' ? 'asked, then allowed by a new rule' : 'asked, then denied by a new rule';
    case 'hook':
      return `a hook: ${outcome}`;
    case 'nobody':
      return 'refused: nobody to ask';
    case 'interrupt':
      return 'asked, interrupted';
    case 'person':
      return { once: 'you: yes', always: 'you: always', edit: 'you: edited', reject: 'you: no' }[
        answer ?? (outcome === 'allowed' ? 'once' : 'reject')
      ];
  }
}

function timeText(iso: string): string {
  const time = new Date(iso);
  const clock = time.toTimeString().slice(0, 8);
  const day = time.toDateString() === new Date().toDateString() ? '' : `${iso.slice(5, 10)} `;
  return `${day}${clock}`;
}
