import type { RuleSource } from '#permissions/gate.ts';
import { starMatches, starPattern } from '#permissions/rules/star-pattern.ts';
import { ruleText } from '#permissions/rules/written-rule.ts';
import type { LanguageService } from '#protocol/languages.ts';
import type { ToolDef } from '#protocol/tool.ts';
import { ownToolName } from '#protocol/tool-names.ts';
import type { LoadedSettings } from './settings/load-settings.ts';

type Surroundings = {
  canAsk: boolean;
  rules: readonly RuleSource[];
  hooks: LoadedSettings['hooks'];
  languages: Pick<LanguageService, 'wouldStartAny'>;
  /** Whether one of these commands, which a tool would begin with, may run unasked. */
  mayStart(tool: ToolDef, commands: readonly string[]): boolean;
};

/** No mode lets it run unasked: what it sends leaves the machine. */
const alwaysAsked = 'consult_peer';

/** The tools that can come to run in a thread: some never do where nobody can be asked. */
export function toolsForThread(
  tools: readonly ToolDef[],
  { canAsk, rules, hooks, languages, mayStart }: Surroundings,
): ToolDef[] {
  if (canAsk) return [...tools];
  // A hook may say yes in the person's place.
  if (hooks.some((source) => Object.keys(source.hooks).length > 0))
    return tools.filter(({ needsPerson }) => !needsPerson);
  const canConsult = rules.some(({ allow }) => allow.some((rule) => isOf(ruleText(rule), alwaysAsked)));
  const servers = languages.wouldStartAny();
  return tools.filter((tool) => {
    if (tool.needsPerson) return false;
    if (tool.name === alwaysAsked) return canConsult;
    return !tool.name.startsWith('lsp_') || servers.length === 0 || mayStart(tool, servers);
  });
}

function isOf(rule: string, tool: string): boolean {
  const [name = ''] = rule.trim().split('(');
  return starMatches(starPattern(ownToolName(name)), tool);
}
