import type { RuleSource } from '#permissions/gate.ts';
import { starMatches, starPattern } from '#permissions/rules/star-pattern.ts';
import { ruleText } from '#permissions/rules/written-rule.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import type { LoadedSettings } from './settings/load-settings.ts';

/** No mode lets it run unasked: what it sends leaves the machine. */
const alwaysAsked = 'consult_peer';

/** The tools that can come to run in a thread: some never do where nobody can be asked. */
export function toolsForThread(
  tools: readonly ToolDef[],
  { canAsk, rules, hooks }: { canAsk: boolean; rules: readonly RuleSource[]; hooks: LoadedSettings['hooks'] },
): ToolDef[] {
  if (canAsk) return [...tools];
  // A hook may say yes in the person's place.
  const hasHooks = hooks.some((source) => Object.keys(source.hooks).length > 0);
  const canConsult =
    hasHooks || rules.some(({ allow }) => allow.some((rule) => isOf(ruleText(rule), alwaysAsked)));
  return tools.filter(({ name, needsPerson }) => !needsPerson && (name !== alwaysAsked || canConsult));
}

function isOf(rule: string, tool: string): boolean {
  const [name = ''] = rule.trim().split('(');
  return starMatches(starPattern(ownToolName(name)), tool);
}
