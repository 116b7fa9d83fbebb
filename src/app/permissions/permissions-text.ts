import { codeText } from '#lib/quote.ts';
import type { ReplayedCall } from '#permissions/replay.ts';
import type { DecisionRow, PermissionOverview, RuleRow } from '#protocol/permission-overview.ts';
import { reasonText } from './overview.ts';

/** Rules, what is wrong with them and the newest decisions; Markdown. */
export function overviewText({ mode, rules, decisions }: PermissionOverview): string {
  const sections = (['deny', 'ask', 'allow'] as const).flatMap((action) => {
    const rows = rules.filter((rule) => rule.action === action);
    return rows.length === 0 ? [] : [`**${action}**\n\n${rows.map(ruleLine).join('\n')}`];
  });
  return [
    `Mode: ${codeText(mode)}. Deny rules come first, then ask, then allow, then the mode.`,
    ...(sections.length === 0 ? ['There are no rules.'] : sections),
    ...(decisions.length === 0 ? [] : [`**last decisions**\n\n${decisionLines(decisions.slice(0, 5))}`]),
  ].join('\n\n');
}

function ruleLine({ rule, place, problem }: RuleRow): string {
  const line = `- ${codeText(rule)} from ${codeText(place)}`;
  return problem === undefined ? line : `${line}\n  - ! ${problem}`;
}

/** Why the newest calls were allowed, asked or denied; Markdown. */
export function explainText(decisions: readonly DecisionRow[]): string {
  if (decisions.length === 0) return 'Nothing was decided in this project yet.';
  return decisionLines(decisions);
}

function decisionLines(decisions: readonly DecisionRow[]): string {
  return decisions
    .map(({ when, tool, what, outcome, why }) =>
      [
        `- ${when} ${codeText(tool)} ${codeText(what)}: ${outcome}`,
        ...why.map((reason) => `  - ${codeText(reason)}`),
      ].join('\n'),
    )
    .join('\n');
}

/** What past calls would become; Markdown. */
export function replayText(
  { calls, differing }: { calls: number; differing: readonly ReplayedCall[] },
  cwd: string,
): string {
  if (calls === 0) return 'Nothing was decided in this project yet, so there is nothing to replay.';
  const head = `${calls} past ${calls === 1 ? 'call' : 'calls'}, ${differing.length} would be decided otherwise`;
  if (differing.length === 0) return `${head}.`;
  const lines = differing.map(({ entry, before, after, reason }) => {
    const why = reason === undefined ? '' : `: ${codeText(reasonText(reason, cwd))}`;
    return `- ${codeText(entry.tool)} ${codeText(entry.what)}: ${before} → ${after}${why}`;
  });
  return `${head}:\n\n${lines.join('\n')}`;
}
